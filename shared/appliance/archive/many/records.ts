// DNS records of which there may be very many, held against the rules of a save before anything is written: in the scratch
// database, as they will be. What the writing transaction itself makes of names is looked at in it.
import type { Transaction } from '../../../ground/store/database.ts';
import { moveRecords, ownedNames, type RestoredFault, settleRecords } from '../../../services/dns-dhcp/restored.ts';
import type { ArchiveRow } from '../rows.ts';
import type { ManyRows } from './many-rows.ts';

export const RECORDS = 'dns_record';
const ZONES = 'dns_zone';

export interface Judged {
  faults: RestoredFault[];
  /** Records that stay and belong to another zone now: pairs of ids. */
  moved: [string, string][];
}

/** Of an archive, by the choice that was judged. */
const JUDGED = new WeakMap<ManyRows, { mark: string; judged: Judged }>();

/** `zones`: as they will be; `all`: they come or go, so that every record is looked at. */
export async function judgeRecords(many: ManyRows, zones: readonly ArchiveRow[], all: boolean): Promise<Judged> {
  const known = zones.map(({ id, name }) => [id, name]);
  const mark = JSON.stringify([many.mark, known, all]);
  const before = JUDGED.get(many);
  if (before?.mark === mark) return before.judged;
  const { db } = many;
  const judged = await db.write(async () => {
    await db.run(`DELETE FROM ${ZONES}`);
    await db.run(
      `INSERT INTO ${ZONES} (id, name, created_at, updated_at) SELECT value ->> 0, value ->> 1, '', '' FROM json_each(?)`,
      [JSON.stringify(known)],
    );
    const faults = await settleRecords(db, all ? null : { sql: `SELECT id FROM ${RECORDS}_picked`, parameters: [] });
    const moved = await db.all<{ id: string; zone_id: string }>(
      `SELECT will.id, will.zone_id FROM ${RECORDS} will JOIN ${RECORDS}_now was ON was.id = will.id
         WHERE will.zone_id IS NOT was.zone_id AND NOT EXISTS (SELECT 1 FROM ${RECORDS}_picked WHERE id = will.id)`,
    );
    return { faults, moved: moved.map(({ id, zone_id }): [string, string] => [id, zone_id]) };
  });
  JUDGED.set(many, { mark, judged });
  return judged;
}

/**
 * In the transaction that wrote them: records of names that others own. Those may have come, moved or gone with what was
 * written beside them.
 */
export async function settleOwnedNames(
  tx: Transaction,
  many: ManyRows,
  { moved }: Judged,
  all: boolean,
): Promise<RestoredFault[]> {
  if (moved.length > 0) await moveRecords(tx, moved);
  const owned = await ownedNames(tx);
  if (owned.length === 0) return [];
  const names = JSON.stringify(owned);
  const among = `SELECT id FROM ${RECORDS} WHERE fqdn IN (SELECT value FROM json_each(?))`;
  if (all) return settleRecords(tx, { sql: among, parameters: [names] });
  const picked = await many.db.all<{ id: string }>(`${among} AND id IN (SELECT id FROM ${RECORDS}_picked)`, [names]);
  const ids = JSON.stringify(picked.map(({ id }) => id));
  return settleRecords(tx, { sql: 'SELECT value FROM json_each(?)', parameters: [ids] });
}
