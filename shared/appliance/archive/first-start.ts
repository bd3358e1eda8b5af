// An appliance that starts from an archive, in the place of one whose state is entered by hand. Only a new one may: of which
// nothing was saved yet, beside the interfaces over which it is managed, and which has no more accounts than the first.
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { takeAccounts } from '../../kernel/access/account-takeover.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { severalUsers } from '../../kernel/access/first-account.ts';
import { takeFactors } from '../../kernel/access/second-factor/takeover.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { Forward } from './bring-forward.ts';
import type { Choice } from './choose.ts';
import { differencesBetween, totalOf } from './difference.ts';
import { emptyState, INHABITED } from './empty.ts';
import { type Restored, restoreState } from './restore.ts';
import { type ArchiveRow, anyRow, rowsOf } from './rows.ts';
import { PARTS, TABLES } from './tables.ts';

/** Rows that a reset leaves do not count: a start adds to them, and takes none away. */
const BARE = TABLES.filter(({ name, onlyAdded }) => !INHABITED.has(name) && !onlyAdded);

/** Whether first start is not over: nothing was saved on this appliance that an archive would have. */
export async function isNew(db: Database): Promise<boolean> {
  if ((await severalUsers(db)) || (await anyRow(db, BARE))) return false;
  const now: [string, ArchiveRow[]][] = [];
  for (const table of TABLES) if (INHABITED.has(table.name)) now.push([table.name, await rowsOf(db, table)]);
  const state = new Map(now);
  return differencesBetween(state, emptyState(state)).length === 0;
}

/** @throws Problem 409 */
export async function refuseOnceStarted(db: Database): Promise<void> {
  if (await isNew(db)) return;
  const detail =
    'First start is over: something was saved on this appliance, or it has several accounts. Compare and restore the archive instead, or reset the appliance first.';
  throw new Problem('state_conflict', detail);
}

export interface Started extends Restored {
  /** That came; null: the archive has none, and those of here stay. */
  accounts: number | null;
  /** That came with them. */
  second_factors: number;
}

/** Everything but these parts. */
export const firstChoice = (leave_out: readonly string[]): Choice => ({
  mode: 'replace',
  units: PARTS.filter(({ id }) => !leave_out.includes(id)).map(({ id }) => ({ unit: id })),
});

/**
 * The state of the archive but for the units that are left out, and its accounts with their second factors in the place of those of here. The host follows at the next reviewed apply.
 * @throws Problem 409 once first start is over, and naming every row that stands in the way
 */
export async function startFrom(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'entropy' | 'keys' | 'keyring'>,
  actor: Actor,
  { accounts, factors, ...coming }: Forward,
  leave_out: readonly string[],
): Promise<Started> {
  await refuseOnceStarted(tx);
  const restored = await restoreState(tx, services, actor, coming, firstChoice(leave_out));
  if (accounts === null) return { ...restored, accounts: null, second_factors: 0 };
  const taken = await takeAccounts(tx, services, accounts);
  return { ...restored, accounts: taken, second_factors: await takeFactors(tx, services, factors) };
}

/** As it is audited. */
export function startedEvent(
  { manifest }: Forward,
  { differences, accounts, second_factors, lets_in }: Started,
): AuditEvent {
  const collections = Object.fromEntries(
    differences.map((each) => [`${each.part.id}/${each.collection}`, totalOf(each)]),
  );
  const { created_at: made_at, host_name } = manifest;
  const detail = {
    first_start: true,
    made_at,
    host_name,
    mode: 'replace',
    collections,
    accounts,
    second_factors,
    lets_in,
  };
  return { action: 'archive.restore', resource_type: 'archive', resource_id: null, detail };
}
