// Whether the applied state is still served. Files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import type { NetworkBootDesired } from './desired.ts';
import { ask } from './probe.ts';

export async function drift(host: Host, inForce: NetworkBootDesired): Promise<string[]> {
  if (!inForce.settings.enabled) return [];
  const { fault } = await ask(host, inForce);
  return fault === null ? [] : [fault.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()).replace(/\.$/, '')];
}
