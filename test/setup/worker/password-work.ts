// In the place of shared/kernel/access/password-work.ts: setting a password takes milliseconds in tests, not a fifth of a
// second. What the appliance itself asks for, account-takeover.test.ts holds.
export const LOG_N = 10;
