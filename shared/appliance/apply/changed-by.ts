// Who changed what is to be applied: from the audit trail, since each unit was last applied.
import type { Database } from '../../ground/store/database.ts';
import { type ChangeEvent, newestChanges } from '../../kernel/audit/list.ts';
import type { UnitState } from '../../platform/applied/unit-state.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { MANIFESTS } from '../manifests.ts';

export interface ChangedBy {
  /** As the audit log names them: `alice`, `alice (token)`. Newest first. */
  names: string[];
  /** When the newest change was made. */
  at: string;
  /** Whether any of them was made to the unit itself; otherwise it followed an edit of the network. */
  own: boolean;
}

/** Events that are looked through, from the newest. */
const EVENTS_MOST = 2_000;

/** First words of the actions that change a unit: its id, the resources of its scopes, its documents; names are generated into DNS. */
const UNIT_OF = new Map(
  MANIFESTS.flatMap(({ id, resources, enforces }) =>
    [id, ...Object.keys(resources), ...enforces].map((word): [string, UnitId] => [word, id]),
  ).concat([['vcf_helper', 'dns-dhcp']]),
);

/** What reads or asks changes nothing that an apply could put in force. */
const CHANGES = /\.(?:create|update|delete|import|create_many|delete_many|switch_many|refresh|upload|restore|adopt)$/;

const listOf = (json: string | null): UnitId[] => (json === null ? [] : (JSON.parse(json) as UnitId[]));

/** The units that an event was an edit of. */
function ownOf({ action, units, resource_id }: ChangeEvent): UnitId[] {
  if (action === 'plan.restore') return listOf(units);
  if (action === 'drift.adopt') return [resource_id as UnitId];
  const own = UNIT_OF.get(action.slice(0, action.indexOf('.')));
  return own ? [own] : [];
}

export async function changedBy(
  db: Database,
  states: ReadonlyMap<UnitId, Pick<UnitState, 'applied_at'>>,
): Promise<Map<UnitId, ChangedBy>> {
  const found = new Map<UnitId, ChangedBy>();
  for (const event of await newestChanges(db, EVENTS_MOST)) {
    const { at, actor_name, action, followed } = event;
    if (!CHANGES.test(action)) continue;
    const own = ownOf(event);
    for (const unit of new Set([...own, ...listOf(followed)])) {
      if (at <= (states.get(unit)?.applied_at ?? '')) continue;
      const known = found.get(unit) ?? { names: [], at, own: false };
      if (own.includes(unit)) known.own = true;
      if (!known.names.includes(actor_name)) known.names.push(actor_name);
      found.set(unit, known);
    }
  }
  return found;
}
