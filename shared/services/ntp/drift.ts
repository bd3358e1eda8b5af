// Whether the daemon runs or is off as applied. Its files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import { type NtpDesired, runs } from './desired.ts';
import { chronyDaemon } from './files.ts';

export async function drift(host: Host, inForce: NtpDesired): Promise<string[]> {
  const running = await host.daemonRunning(chronyDaemon(host));
  if (running === runs(inForce)) return [];
  return [running ? 'chronyd runs, though the service was applied as off' : 'chronyd does not run'];
}
