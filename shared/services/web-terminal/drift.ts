// Whether the socket is open or closed as applied. Its files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import type { TerminalDesired } from './desired.ts';
import { terminalDaemon } from './files.ts';

export async function drift(host: Host, { settings }: TerminalDesired): Promise<string[]> {
  const open = await host.daemonRunning(terminalDaemon(host));
  if (open === settings.enabled) return [];
  return [
    open ? 'the socket of the terminal is open, though it was applied as off' : 'the socket of the terminal is closed',
  ];
}
