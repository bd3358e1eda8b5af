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

/** Records that are looked at, by a statement that answers their ids. */
export interface Among {
  sql: string;
  parameters: readonly SqlValue[];
}

/** Records that are looked at together: all of a name are, since they are held against each other. */
const PAGE = 500;

// What the appliance keeps for its services is made anew from their settings.
const READ = `SELECT id, fqdn, type, value, zone_id FROM dns_record WHERE owner_source IS NOT '${OWNER.service}'`;
const MOVE = `UPDATE dns_record SET zone_id = change.value ->> 1 FROM json_each(?) AS change
  WHERE dns_record.id = change.value ->> 0`;

/** Ids of records and of the zones that they belong to now. */
export const moveRecords = async (tx: Transaction, pairs: readonly [string, string][]): Promise<void> => {
  await tx.run(MOVE, [JSON.stringify(pairs)]);
};

/** Names of which others keep records. */
export async function ownedNames(db: Database): Promise<string[]> {
  const rows = await db.all<{ fqdn: string }>('SELECT DISTINCT fqdn FROM dns_record WHERE owner_source IS NOT NULL');
  return rows.map(({ fqdn }) => fqdn);
}

/** `ids`: null for all, since zones came or went. Records move to the zone that they belong to now. */
export const settleRestoredRecords = (tx: Transaction, ids: readonly string[] | null): Promise<RestoredFault[]> =>
  settleRecords(tx, ids === null ? null : { sql: 'SELECT value FROM json_each(?)', parameters: [JSON.stringify(ids)] });

/** Faults after which nothing more is looked at: they refuse everything as it is. */
const FAULTS_MOST = 500;

/** `among`: null for all. No more than a page of them is in memory. */
export async function settleRecords(tx: Transaction, among: Among | null): Promise<RestoredFault[]> {
  const faults: RestoredFault[] = [];
  for await (const page of pagesOf(tx, among)) {
    faults.push(...(await settlePage(tx, page)));
    if (faults.length >= FAULTS_MOST) return faults;
    // Requests that only read get their turn in between.
    await setImmediate();
  }
  return faults;
}

async function* pagesOf(db: Database, among: Among | null): AsyncGenerator<SavedRecord[]> {
  const read = `${READ} ${among ? `AND id IN (${among.sql})` : ''}`;
  const parameters = among?.parameters ?? [];
  for (let last = ''; ; ) {
    const found = await db.all<SavedRecord>(`${read} AND fqdn > ? ORDER BY fqdn, id LIMIT ${PAGE}`, [
      ...parameters,
      last,
    ]);
    if (found.length < PAGE) {
      if (found.length > 0) yield found;
      return;
    }
    // The last name may go on in the next page.
    const cut = found.at(-1)!.fqdn;
    const whole = found.filter(({ fqdn }) => fqdn !== cut);
    if (whole.length > 0) yield whole;
    else yield await db.all<SavedRecord>(`${read} AND fqdn = ? ORDER BY id`, [...parameters, cut]);
    last = whole.at(-1)?.fqdn ?? cut;
  }
}

async function settlePage(tx: Transaction, records: readonly SavedRecord[]): Promise<RestoredFault[]> {
  const standing = await readStanding(tx, records);
  const own = new Set(records.map(({ id }) => id));
  const aliases = new Map(standing.aliases);
  for (const { type, fqdn } of records) if (type === 'CNAME') aliases.delete(fqdn);
  const others = { ...standing, aliases, saved: standing.saved.filter(({ id }) => !own.has(id)) };
  const verdicts = judge(records, others);
  const faults = records.flatMap((record, at): RestoredFault[] => {
    const spelled = spellingFault(record);
    const verdict = verdicts[at]!;
    const [fault] = 'faults' in verdict ? verdict.faults : [];
    const detail = spelled ?? fault?.detail;
    return detail === undefined ? [] : [{ table: 'dns_record', id: record.id, detail }];
  });
  const moved = records.flatMap(({ id, zone_id }, at): [string, string][] => {
    const verdict = verdicts[at]!;
    return 'zone_id' in verdict && verdict.zone_id !== zone_id ? [[id, verdict.zone_id]] : [];
  });
  if (moved.length > 0) await moveRecords(tx, moved);
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
  const some = ids === null ? '' : 'WHERE id IN (SELECT value FROM json_each(?))';
  const read = `SELECT ${columnsOf(keptReservations)} FROM dhcp_reservation ${some} ORDER BY id`;
  const rows = (await tx.all(read, ids === null ? [] : [JSON.stringify(ids)])).map((row) =>
    itemOf(keptReservations, row),
  );
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
