// What a comparison with the host asks the server. A host mounts each datastore at each comparison, since an export may be removed
// by hand at any time. Who must be refused is asked of all by the clock, and for a plan and right after an apply of those that
// were not found right before. Kept in memory alone: whoever starts anew asks for all.
import type { Host } from '../../ground/machine/host.ts';
import type { Asked } from '../../platform/units/probing.ts';
import type { DriftLook } from '../../platform/units/unit.ts';
import { type DesiredDatastore, exported, folderOf, type StorageDesired } from './desired.ts';
import { withWitnesses } from './touched.ts';

interface Looked {
  /** Datastores that were right, as texts of all that matters to a host. */
  right: ReadonlySet<string>;
  /** The last answer, until somebody takes it. */
  last: { inForce: StorageDesired; asked: Asked } | null;
}

const NOTHING: Looked = { right: new Set(), last: null };
const looks = new WeakMap<Host, Looked>();

const textOf = (datastore: DesiredDatastore): string => {
  const { id, version, addresses, clients, size_limit_gib = 0 } = datastore;
  return JSON.stringify([id, folderOf(datastore), version, size_limit_gib, addresses, clients]);
};

/** Asks for all; `strangers`: those at which who must be refused is tried, too. */
type Ask = (strangers: readonly DesiredDatastore[]) => Promise<Asked>;

/** Asks, and keeps what was right. */
export async function look(
  host: Host,
  inForce: StorageDesired,
  how: DriftLook<StorageDesired>['look'],
  ask: Ask,
): Promise<Asked> {
  const all = exported(inForce);
  const { right } = looks.get(host) ?? NOTHING;
  const strangers = how === 'touched' ? withWitnesses(all, (datastore) => !right.has(textOf(datastore))) : all;
  const asked = await ask(strangers);
  looks.set(host, { right: new Set(asked.fault === null ? all.map(textOf) : []), last: { inForce, asked } });
  return asked;
}

/** What the last comparison with this very state was answered, once; null: there was none since. */
export function takeLook(host: Host, inForce: StorageDesired): Asked | null {
  const looked = looks.get(host);
  if (!looked?.last) return null;
  const { asked, inForce: of } = looked.last;
  looks.set(host, { ...looked, last: null });
  return of === inForce ? asked : null;
}

/** The next look is at all. */
export const forgetLooks = (host: Host): void => void looks.delete(host);
