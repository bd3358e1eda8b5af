// Brings what was chosen of an archive into the state of now, in the caller's transaction: all of it or nothing. The host
// follows at the next reviewed apply.
import { setImmediate } from 'node:timers/promises';
import { instant } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import { restoreProfile } from '../../platform/certificate-authority/restored.ts';
import { signListsAnew } from '../../platform/certificate-authority/revoke.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { UNIT_IDS, type UnitId } from '../../platform/unit-names.ts';
import type { DocumentDifference, TableDifference } from '../apply/applied-rows-difference.ts';
import { bringInterfacesBack, type FormerInterfaces } from '../apply/applied-rows-interfaces.ts';
import { bringTo, type Followed } from '../apply/applied-rows-restore.ts';
import type { KeptTable } from '../apply/applied-rows-tables.ts';
import { writeDocuments, writeTables } from '../apply/applied-rows-write.ts';
import { inTheWay } from '../edits/interface-edit.ts';
import { brokenIn, type Choice, chosen, stateWith } from './choose.ts';
import type { CollectionDifference } from './difference.ts';
import { documentsThatFollow, documentsToSave } from './documents.ts';
import { interfacesOf, interfacesWith } from './interfaces.ts';
import { type LetIn, letsIn } from './lets-in.ts';
import { judgeRecords, RECORDS } from './many/records.ts';
import { WITHOUT_FILES } from './media.ts';
import { type Coming, compare } from './now.ts';
import { revisionsOf, type State, stored } from './rows.ts';
import { sealedColumns } from './secrets.ts';
import { type JudgedRecords, settleRestored } from './settle.ts';
import { PARTS, type Table } from './tables.ts';

export interface Restored extends Followed {
  /** What was saved. Empty: nothing differed. */
  differences: CollectionDifference[];
  /** KMIP clients that get keys from now on. */
  lets_in: LetIn[];
}

type RestoreServices = Pick<Services, 'clock' | 'entropy' | 'keys' | 'keyring'>;

/** @throws Problem 409 naming every row that stands in the way; nothing is saved then */
export async function restoreState(
  tx: Transaction,
  services: RestoreServices,
  actor: Actor,
  coming: Coming,
  choice: Choice,
): Promise<Restored> {
  const { archived, picked, broken, judged, lets_in } = await rehearse(tx, services, coming, choice);
  if (picked.length === 0) return { differences: [], lets_in, moves: 0, followed: [] };
  if (broken.length > 0) throw inTheWay('state_conflict', broken);
  await setImmediate();
  const followed = await save(tx, services, archived, picked);
  await listsAnew(tx, services, picked);
  const blockers = await settleRestored(tx, { services, actor }, picked, judged);
  if (blockers.length > 0) throw inTheWay('state_conflict', blockers);
  return { differences: picked, lets_in, ...followed };
}

export interface Rehearsed {
  archived: State;
  picked: CollectionDifference[];
  broken: Blocker[];
  judged: JudgedRecords | null;
  /** KMIP clients that would get keys from then on. */
  lets_in: LetIn[];
}

/**
 * Everything that comes before the first row is written. Of rows of which there may be very many, what it finds counts until
 * something changes: done before a transaction, the one that is done in it takes no time for them.
 */
export async function rehearse(
  db: Database,
  services: RestoreServices,
  coming: Coming,
  choice: Choice,
): Promise<Rehearsed> {
  const { now, archived, differences } = await compare(db, services, coming);
  const { picked, broken: dangling } = await chosen(now, differences, coming.many, choice);
  const then = stateWith(now, picked);
  const broken = picked.length === 0 ? [] : [...brokenIn(then), ...dangling];
  const lets_in = letsIn(now, archived, picked);
  const records = coming.many.find(({ table }) => table.name === RECORDS);
  const differing = picked.some(({ many }) => many) || picked.some(({ table }) => table.name === ZONES);
  if (!records || broken.length > 0 || !differing) return { archived, picked, broken, judged: null, lets_in };
  const all = picked.some(({ table }) => table.name === ZONES);
  const judged = { records, all, ...(await judgeRecords(records, then.get(ZONES) ?? [], all)) };
  return { archived, picked, broken, judged, lets_in };
}

const ZONES = 'dns_zone';

async function save(
  tx: Transaction,
  services: RestoreServices,
  archived: State,
  picked: readonly CollectionDifference[],
): Promise<Followed> {
  const saved = await loadInterfaces(tx);
  const then = interfacesOf(archived) ?? saved;
  const network = networkOf(saved, picked);
  const states = await unitStates(tx);
  const at = instant(services.clock.now());
  const moves = picked.some(({ table }) => table.name === 'interface');
  const units = [];
  const faults: Blocker[] = [];
  for (const part of PARTS) {
    const own = picked.filter((difference) => difference.part === part);
    if (own.length === 0) continue;
    const tables: TableDifference[] = [];
    for (const difference of own) {
      const { name, columns } = difference.table;
      if (!WRITTEN_BY_OWNERS.has(name) && columns.length > 0 && part.tables.includes(difference.table)) {
        tables.push(await tableDifference(tx, services, difference));
      }
    }
    const coming = documentsToSave(part, own, network.after);
    const following = moves ? await documentsThatFollow(tx, part, coming.documents, network.after) : NOTHING;
    const documents = [...coming.documents, ...following.documents];
    faults.push(...coming.blockers, ...following.blockers, ...(await profilesBack(tx, own)));
    const past = states.get(part.id as UnitId)?.desired_version ?? 0;
    if (isUnit(part.id)) units.push({ unit: part.id, tables, documents, past });
    else await saveBeside(tx, { tables, documents, past, at });
  }
  if (faults.length > 0) throw inTheWay('state_conflict', faults);
  return await unlessTaken(bringTo(tx, services, { units, saved, then, network }));
}

const NOTHING = { documents: [], blockers: [] };

/** Tables whose rows other code than that of any table writes. */
const WRITTEN_BY_OWNERS: ReadonlySet<string> = new Set(['interface', 'certificate_profile']);

/** Profiles are changed and never made: their owner writes them, by the rules of the API. */
async function profilesBack(tx: Transaction, own: readonly CollectionDifference[]): Promise<Blocker[]> {
  const difference = own.find(({ table }) => table.name === 'certificate_profile');
  const blockers: Blocker[] = [];
  for (const row of difference?.rows ?? []) {
    const reason =
      row.kind === 'changed'
        ? await restoreProfile(tx, row.id, row.wanted!)
        : 'Every appliance has the same profiles: it can’t be added or removed.';
    if (reason !== null) {
      const subject = `${difference!.label}: ${row.title}`;
      blockers.push({ subject, reason, page: pagePath('certificate-authority'), unblock: 'Leave it out' });
    }
  }
  return blockers;
}

/**
 * Certificates that were revoked in the archive alone are in the revocation list from now on. A root that came with them
 * has none yet: it is signed within minutes.
 */
async function listsAnew(
  tx: Transaction,
  services: RestoreServices,
  picked: readonly CollectionDifference[],
): Promise<void> {
  const rows = picked.find(({ table }) => table.name === 'issued_certificate')?.rows ?? [];
  const roots = rows.flatMap(({ wanted }) => (wanted && wanted.revoked_at !== null ? [text(wanted.authority_id)] : []));
  await signListsAnew(tx, services, [...new Set(roots)]);
}

const isUnit = (id: string): id is UnitId => (UNIT_IDS as readonly string[]).includes(id);

/** What belongs to no unit: nothing follows it. */
async function saveBeside(
  tx: Transaction,
  {
    tables,
    documents,
    past,
    at,
  }: { tables: TableDifference[]; documents: DocumentDifference[]; past: number; at: string },
): Promise<void> {
  await unlessTaken(writeTables(tx, tables, { now: at, past }));
  await writeDocuments(tx, documents, { now: at, past });
}

/** Uniqueness that no natural key tells of. */
async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, message = '' } = error as { code?: string; message?: string };
    const [, table, column] = /UNIQUE constraint failed: (\w+)\.(\w+)/.exec(message) ?? [];
    if (code !== 'SQLITE_CONSTRAINT' || !table) throw error;
    throw new Problem('state_conflict', `Two rows of ${table} would have the same ${column}. Nothing was saved.`);
  }
}

/** The interfaces as they will be, by the rules of an edit. @throws Problem 409 `no_management_listener` */
function networkOf(saved: readonly NetworkInterface[], picked: readonly CollectionDifference[]): FormerInterfaces {
  const rows = picked.find(({ table }) => table.name === 'interface')?.rows;
  if (!rows) return { difference: { saved: [], removed: [] }, after: [...saved], blockers: [] };
  return bringInterfacesBack(saved, interfacesWith(saved, rows));
}

/** Columns that are in no archive and need a value: the addresses of datastores follow from their interfaces. */
const BEGINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  storage_datastore: { addresses: '[]' },
  network_boot_medium: WITHOUT_FILES,
};

const keptTable = ({ name, label, columns, unique, meanwhile, secret, plain }: Table): KeptTable => ({
  name,
  collection: `${name}s`,
  label,
  columns: [...columns, ...secret],
  unique,
  meanwhile: Object.fromEntries(meanwhile),
  plain,
  begins: BEGINS[name] ?? {},
});

async function tableDifference(
  tx: Transaction,
  services: RestoreServices,
  { table, rows, many }: CollectionDifference,
): Promise<TableDifference> {
  if (many) return { table: keptTable(table), added: [], changed: [], removed: [], stream: many.of.stream() };
  const revisions = table.plain
    ? new Map<string, number>()
    : await revisionsOf(
        tx,
        table,
        rows.map(({ id }) => id),
      );
  const kept = keptTable(table);
  const [added, changed]: SqlValue[][][] = [[], []];
  // Of certificates the newest is the one that counts, and that is the one that was written last.
  const inOrder = table.plain
    ? rows.toSorted((a, b) => text(a.wanted?.created_at).localeCompare(text(b.wanted?.created_at)))
    : rows;
  for (const { kind, wanted, now } of inOrder) {
    if (!wanted) continue;
    const sealed = table.secret.length > 0 ? await sealedColumns(services, table.name, wanted) : {};
    const values = kept.columns.map((column) => stored(table, column, { ...wanted, ...sealed }[column]));
    const made = text(now?.created_at ?? wanted.created_at) || instant(services.clock.now());
    const counted = table.plain ? [] : [revisions.get(wanted.id) ?? 0, made];
    (kind === 'added' ? added! : changed!).push([wanted.id, ...values, ...counted]);
  }
  return {
    table: kept,
    added: added!,
    changed: changed!,
    removed: rows.filter(({ wanted }) => wanted === null).map(({ id }) => id),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
