// In the place of shared/ground/age/passphrase-work.ts: opening a file takes milliseconds in tests, not a second. What the
// appliance itself asks for, stock-program.test.ts holds.
export const LOG_N = 10;
