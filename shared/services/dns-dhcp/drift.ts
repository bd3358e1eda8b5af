// Whether the daemon runs or is off as applied. Its files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import { type DnsDhcpDesired, runs } from './desired.ts';
import { dnsmasqDaemon } from './files.ts';

export async function drift(host: Host, inForce: DnsDhcpDesired): Promise<string[]> {
  const running = await host.daemonRunning(dnsmasqDaemon(host));
  if (running === runs(inForce)) return [];
  return [running ? 'dnsmasq runs, though the service was applied as off' : 'dnsmasq does not run'];
}
