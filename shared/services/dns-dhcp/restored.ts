// Rows that were written as they stood elsewhere, held against what is saved now: many at once, by the rules that an edit of
// each would be held against.
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../ground/problems.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';
import type { Shell } from '../../platform/units/collection.ts';
import { columnsOf, itemOf } from '../../platform/units/collection-store.ts';
import { type DhcpReservation, keptReservations, settleReservation } from './dhcp/reservations.ts';
import { readSurroundings } from './dhcp/surroundings.ts';
import { canonicalRecord, type RecordData } from './dns/record-data.ts';
import { judge, readStanding } from './dns/record-standing.ts';

/** Why a row can't stay. */
export interface RestoredFault {
  table: 'dns_record' | 'dhcp_reservation';
  id: string;
  detail: string;
}

interface SavedRecord extends RecordData {
  id: string;
  zone_id: string;
}

const some = (ids: readonly string[] | null): string =>
  ids === null ? '' : 'AND id IN (SELECT value FROM json_each(?))';
const asked = (ids: readonly string[] | null): SqlValue[] => (ids === null ? [] : [JSON.stringify(ids)]);

// What the appliance keeps for its services is made anew from their settings.
const RECORDS = `SELECT id, fqdn, type, value, zone_id FROM dns_record WHERE owner_source IS NOT '${OWNER.service}'`;
const MOVE = `UPDATE dns_record SET zone_id = change.value ->> 1 FROM json_each(?) AS change
  WHERE dns_record.id = change.value ->> 0`;

/** `ids`: null for all, since zones came or went. Records move to the zone that they belong to now. */
export async function settleRestoredRecords(tx: Transaction, ids: readonly string[] | null): Promise<RestoredFault[]> {
  const records = await tx.all<SavedRecord>(`${RECORDS} ${some(ids)} ORDER BY id`, asked(ids));
  if (records.length === 0) return [];
  const standing = await readStanding(tx, records);
  // Of many records each of these takes its time: requests that only read get their turn in between.
  await setImmediate();
  const own = new Set(records.map(({ id }) => id));
  const aliases = new Map(standing.aliases);
  for (const { type, fqdn } of records) if (type === 'CNAME') aliases.delete(fqdn);
  const others = { ...standing, aliases, saved: standing.saved.filter(({ id }) => !own.has(id)) };
  const verdicts = judge(records, others);
  await setImmediate();
  const faults = records.flatMap((record, at): RestoredFault[] => {
    const spelled = spellingFault(record);
    const verdict = verdicts[at]!;
    const [fault] = 'faults' in verdict ? verdict.faults : [];
    const detail = spelled ?? fault?.detail;
    return detail === undefined ? [] : [{ table: 'dns_record', id: record.id, detail }];
  });
  const moved = records.flatMap(({ id, zone_id }, at) => {
    const verdict = verdicts[at]!;
    return 'zone_id' in verdict && verdict.zone_id !== zone_id ? [[id, verdict.zone_id]] : [];
  });
  if (moved.length > 0) await tx.run(MOVE, [JSON.stringify(moved)]);
  return faults;
}

function spellingFault(record: RecordData): string | null {
  try {
    const { fqdn, type, value } = canonicalRecord(record, 'saved');
    const same = fqdn === record.fqdn && type === record.type && value === record.value;
    return same ? null : 'It is not written as this program stores it.';
  } catch (error) {
    if (error instanceof Problem) return error.members.errors?.[0]?.detail ?? error.message;
    throw error;
  }
}

/** `ids`: null for all, since scopes came or went. Names that they register get their records where these are missing. */
export async function settleRestoredReservations(
  tx: Transaction,
  shell: Shell,
  ids: readonly string[] | null,
): Promise<RestoredFault[]> {
  const read = `SELECT ${columnsOf(keptReservations)} FROM dhcp_reservation WHERE true ${some(ids)} ORDER BY id`;
  const rows = (await tx.all(read, asked(ids))).map((row) => itemOf(keptReservations, row));
  if (rows.length === 0) return [];
  const surroundings = await readSurroundings(tx);
  const registered = await registeredIds(tx);
  const faults: RestoredFault[] = [];
  const tried = async (row: DhcpReservation, work: () => Promise<void> | void): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const detail = error.members.errors?.[0]?.detail ?? error.message;
      faults.push({ table: 'dhcp_reservation', id: row.id, detail });
    }
  };
  for (const row of rows) {
    await tried(row, () => settleReservation(row, surroundings));
    const wanted = row.register_dns && row.enabled;
    if (wanted !== registered.has(row.id)) await tried(row, () => keptReservations.saved!(tx, row, null, shell));
  }
  return faults;
}

async function registeredIds(db: Database): Promise<Set<string>> {
  const rows = await db.all<{ owner_ref: string }>(
    `SELECT owner_ref FROM dns_record WHERE owner_source = '${OWNER.reservation}'`,
  );
  return new Set(rows.map(({ owner_ref }) => owner_ref));
}
