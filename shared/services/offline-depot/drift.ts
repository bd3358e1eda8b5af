// Whether the applied state is still served. The manifest is compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import type { DepotDesired } from './desired.ts';
import { ask } from './probe.ts';

export async function drift(host: Host, inForce: DepotDesired): Promise<string[]> {
  if (!inForce.settings.enabled) return [];
  const { fault } = await ask(host, inForce);
  return fault === null ? [] : [fault.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()).replace(/\.$/, '')];
}
