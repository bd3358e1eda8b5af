// The one secret that is ever printed: once, to the console that started the appliance, never to the log.

export function showPassword(password: string): void {
  process.stderr.write(`\nFirst start. Sign in as admin with this password, then change it:\n\n    ${password}\n\n`);
}
