// Whom a change of storage cuts off now, by the hosts that the server knows of.
import type { Host } from '../../ground/machine/host.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { storage } from './facts.ts';
import { cutSentences, type Names } from './mounted-by.ts';
import { sightings } from './server-sightings.ts';

/** Nothing is asked while nothing is exported. */
export async function cuts(
  host: Host,
  change: UnitChange,
  namesOf: (addresses: readonly string[]) => Promise<Names>,
): Promise<string[]> {
  if (!host.enforces || storage.all(change.before, 'datastore').next().done) return [];
  const seen = await sightings(host);
  const { connections, known, mounts } = seen;
  const addresses = [
    ...connections.map(({ from }) => from),
    ...[...(known ?? []), ...mounts].map(({ address }) => address),
  ];
  return cutSentences(change, seen, await namesOf([...new Set(addresses)]));
}
