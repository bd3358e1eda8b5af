// Who changed what is to be applied: from the audit trail, since each unit was last applied.
import type { Database } from '../../ground/store/database.ts';
import { newestChanges } from '../../kernel/audit/list.ts';
import type { UnitState } from '../../platform/applied/unit-state.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { MANIFESTS } from '../manifests.ts';

export interface ChangedBy {
  /** As the audit log names them: `alice`, `alice (token)`. Newest first. */
  names: string[];
  /** When the newest change was made. */
  at: string;
}

/** Events that are looked through, from the newest. */
const EVENTS_MOST = 2_000;

/** First words of the actions that change a unit: its id, the resources of its scopes, its documents. */
const UNIT_OF = new Map(
  MANIFESTS.flatMap(({ id, resources, enforces }) =>
    [id, ...Object.keys(resources), ...enforces].map((word) => [word, id]),
  ),
);

/** What reads or asks changes nothing that an apply could put in force. */
const CHANGES = /\.(?:create|update|delete|import|create_many|delete_many|switch_many|refresh|upload)$/;

export async function changedBy(
  db: Database,
  states: ReadonlyMap<UnitId, Pick<UnitState, 'applied_at'>>,
): Promise<Map<UnitId, ChangedBy>> {
  const found = new Map<UnitId, ChangedBy>();
  for (const { at, actor_name, action, followed } of await newestChanges(db, EVENTS_MOST)) {
    if (!CHANGES.test(action)) continue;
    const own = UNIT_OF.get(action.slice(0, action.indexOf('.')));
    const units = new Set([...(own ? [own] : []), ...((JSON.parse(followed ?? '[]') as UnitId[] | null) ?? [])]);
    for (const unit of units) {
      if (at <= (states.get(unit)?.applied_at ?? '')) continue;
      const known = found.get(unit) ?? { names: [], at };
      if (!known.names.includes(actor_name)) known.names.push(actor_name);
      found.set(unit, known);
    }
  }
  return found;
}
