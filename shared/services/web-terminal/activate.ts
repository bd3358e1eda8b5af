// Opens or closes the socket. sshd reads its configuration for each connection, so a change of it needs nothing.
import type { Host } from '../../ground/machine/host.ts';
import type { TerminalDesired } from './desired.ts';
import { terminalDaemon } from './files.ts';

/** Answers what it did in one sentence. */
export async function activate(host: Host, { settings }: TerminalDesired): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, no terminal opens.';
  const daemon = terminalDaemon(host);
  const running = await host.daemonRunning(daemon);
  if (settings.enabled && running) return 'The socket of the terminal is open already.';
  if (settings.enabled) {
    await host.startDaemon(daemon);
    return 'The socket of the terminal was opened.';
  }
  if (!running) return 'The terminal needs nothing.';
  // Its shells end with it.
  await host.stopDaemon(daemon);
  return 'The socket of the terminal was closed, and every shell with it.';
}
