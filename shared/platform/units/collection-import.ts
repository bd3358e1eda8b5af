// Reads rows of a collection from CSV: those that are not there are created, those that are are changed where the file says
// something else, by the rules of single ones and with their audit events. All of them or none; nobody is deleted.
import { setImmediate as othersTurn } from 'node:timers/promises';
import { type FieldError, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { checked } from '../../kernel/operation/checked.ts';
import type { Draft, Tagged } from './collection.ts';
import { cellOf, idNames } from './collection-csv.ts';
import type { Context, CreateWords } from './collection-operations.ts';
import { changedMeanwhile, digestOf, rowsImported, type SettledRow } from './import-answer.ts';
import {
  type FileRow,
  type ImportFile,
  type KnownIds,
  membersOf,
  type RowFault,
  readFile,
  refuseRows,
  takenMembers,
} from './import-rows.ts';
import { type ImportedRow, type RowsImport, type RowsImported, VALUE_MOST } from './import-schemas.ts';
import { type ImportedRows, memberOf, type OpenedRows } from './imported-rows.ts';

/** Rows may need each other, in any order: those that are refused are tried again after the others, this often. */
const PASSES_MOST = 10;
/** Rows after which whatever else waits on the event loop, as a read, has its turn. */
const AT_ONCE = 20;

interface Row extends SettledRow {
  /** Null: it is not there. */
  before: Tagged | null;
  /** Null: it is not saved. */
  draft: Draft | null;
}

interface Importing {
  into: ImportedRows;
  opened: OpenedRows;
  context: Context;
  file: ImportFile;
  follows: CreateWords['follows'];
}

/**
 * What became of each row; in a dry run, what would.
 * @throws Problem 422 at `/csv` for a file that can't be read, and for rows that are refused, unless it is a dry run; 409 at
 *   `/previewed` when it is no longer what was looked at.
 */
export async function importRows(
  into: ImportedRows,
  context: Context,
  { csv, mode = 'add_and_change', previewed }: RowsImport,
  follows?: CreateWords['follows'],
): Promise<RowsImported> {
  const file = readFile(into, csv);
  const importing: Importing = { into, opened: await into.open(context.tx), context, file, follows };
  const rows = await settledRows(importing, mode);
  const digest = digestOf([mode, rows.map(({ before, draft }) => [before?.id, before?.revision, draft])]);
  const { dry_run } = context.request;
  if (previewed !== undefined && previewed !== digest) throw changedMeanwhile();
  const apart = rows.flatMap(({ faults }) => faults);
  if (!dry_run && apart.length > 0) refuseRows(apart);
  await saveRows(importing, rows);
  const faults = rows.flatMap((row) => row.faults);
  if (!dry_run && faults.length > 0) refuseRows(faults);
  return rowsImported(rows, digest, dry_run);
}

/** The rows as they would be saved, held against the schemas and what is there. */
async function settledRows({ into, opened, context, file }: Importing, mode: string): Promise<Row[]> {
  const ids = await knownIds(context.tx, into, file.head);
  const seen = new Map<string, number>();
  const rows: Row[] = [];
  for (const [at, each] of file.rows.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await othersTurn();
    const { members, faults } = membersOf(into, each, { head: file.head, ids });
    const key = faults.length > 0 ? null : keyOf(into, members);
    const title = titleOf(into, each);
    const made: Row = {
      line: each.line,
      title,
      before: null,
      draft: null,
      fate: 'refused',
      id: null,
      changes: [],
      faults,
    };
    rows.push(made);
    if (key === null && faults.length > 0) continue;
    const twin = key === null ? undefined : seen.get(JSON.stringify(key));
    if (twin !== undefined) {
      faults.push(faultAt(file, each.line, keyColumn(into, file), `This row is on line ${twin} already.`));
      continue;
    }
    if (key !== null) {
      seen.set(JSON.stringify(key), each.line);
      made.before = await opened.find(key);
    }
    made.id = made.before?.id ?? null;
    if (made.before !== null && mode === 'add') made.fate = 'kept';
    else made.draft = draftOf(into, { file, line: each.line, members, before: made.before, faults });
  }
  return rows;
}

async function knownIds(tx: Transaction, into: ImportedRows, head: readonly string[]): Promise<KnownIds> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  for (const [column, names] of Object.entries(into.names)) {
    if (!head.includes(column)) continue;
    known.set(column, new Map([...(await idNames(tx, names))].map(([id, name]) => [name, id])));
  }
  return known;
}

/** What a row is known by, each part as stored; null when a part is missing or can't be read. */
function keyOf(into: ImportedRows, members: Readonly<Record<string, unknown>>): unknown[] | null {
  const parts: unknown[] = [];
  for (const member of into.key) {
    const value = canonical(into, member, members[member]);
    if (value === undefined || value === '') return null;
    parts.push(value);
  }
  return parts;
}

/** A value as it is stored, as far as schema and spelling say so; undefined when the schema refuses it. */
function canonical(into: ImportedRows, member: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a schema of an object, whatever its members.
  const schema = (into.schemas.create as any).entries[member];
  const read = checked(schema, value, HERE, []);
  return typeof read === 'string' ? into.spelled(member, read) : read;
}

const HERE = { pointer: (path: string[]) => path[0] ?? '', unknown: 'There is no such member.' };

/** For people, also of a row that can't be read: its key, as the file has it. */
function titleOf(into: ImportedRows, { cells }: FileRow): string {
  const { key, names } = into;
  const column = (member: string) =>
    Object.entries(names).find(([name, { of }]) => of === member && (cells.get(name) ?? '') !== '')?.[0] ?? member;
  return key
    .map((member) => cells.get(column(member)) ?? '')
    .filter((cell) => cell !== '')
    .join(' ')
    .slice(0, VALUE_MOST);
}

const keyColumn = (into: ImportedRows, { head }: ImportFile): string =>
  into.key.findLast((member) => head.includes(member)) ?? '';

const faultAt = ({ head }: ImportFile, line: number, name: string, detail: string): RowFault => {
  const column = head.indexOf(name) + 1;
  return { line, column, name: column === 0 ? '' : name, detail };
};

interface Drafting {
  file: ImportFile;
  line: number;
  members: Readonly<Record<string, unknown>>;
  before: Tagged | null;
  /** Those that are found are added. */
  faults: RowFault[];
}

/** The body of the operation that would save the row alone; null when its schema refuses it. */
function draftOf(into: ImportedRows, { file, line, members, before, faults }: Drafting): Draft | null {
  const { changeable } = takenMembers(into);
  const fault = (member: string, detail: string) =>
    void faults.push(faultAt(file, line, columnOf(into, file, member), detail));
  if (before !== null) {
    for (const member of Object.keys(members).filter((each) => !changeable.includes(each))) {
      if (sameCell(canonical(into, member, members[member]), memberOf(before, member))) continue;
      fault(member, 'Cannot change: the saved row has another one.');
    }
  }
  const sent = Object.entries(members).filter(([member]) => before === null || changeable.includes(member));
  const errors: FieldError[] = [];
  const { create, update } = into.schemas;
  const read = checked(before === null ? create : update, Object.fromEntries(sent), HERE, errors);
  for (const { pointer: member, detail } of errors)
    fault(member, Object.hasOwn(members, member) ? detail : `${member}: a new row needs it.`);
  return faults.length > 0 ? null : (read as Draft);
}

/** Of a member: its own column, or that of its name. */
function columnOf(into: ImportedRows, { head }: ImportFile, member: string): string {
  const { names } = into;
  const named = Object.entries(names).find(([column, { of }]) => of === member && head.includes(column));
  return named?.[0] ?? member;
}

const sameCell = (one: unknown, other: unknown): boolean => cellOf(one) === cellOf(other);

/** Saves what has a draft. Rows that are refused by the rules get their faults. */
async function saveRows(importing: Importing, rows: readonly Row[]): Promise<void> {
  let waiting = rows.filter(({ draft }) => draft !== null);
  for (let pass = 0; pass < PASSES_MOST && waiting.length > 0; pass++) {
    const refused: Row[] = [];
    for (const [at, row] of waiting.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await othersTurn();
      row.faults = await triedRow(importing, row);
      if (row.faults.length > 0) refused.push(row);
    }
    if (refused.length === waiting.length) return;
    waiting = refused;
  }
}

/** One row, in a savepoint of its own: a refused one leaves nothing behind for those after it. */
async function triedRow(importing: Importing, row: Row): Promise<RowFault[]> {
  const { tx } = importing.context;
  await tx.run('SAVEPOINT imported');
  try {
    await savedRow(importing, row);
    await tx.run('RELEASE imported');
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await tx.run('ROLLBACK TO imported');
    await tx.run('RELEASE imported');
    return faultsOf(importing, row, error);
  }
}

async function savedRow({ into, opened, context, follows }: Importing, row: Row): Promise<void> {
  const { before } = row;
  const asked: Context = {
    ...context,
    params: {},
    query: {},
    body: row.draft,
    request: { ...context.request, if_match: null },
  };
  const { item, detail } = before === null ? await opened.create(asked) : await opened.update(asked, before.id);
  if (before !== null && item.revision === before.revision) {
    row.fate = 'same';
    return;
  }
  if (before === null) await follows?.(context.tx, context.services);
  const action = `${into.action}.${before === null ? 'create' : 'update'}`;
  context.audit({ action, resource_type: into.table, resource_id: item.id, detail });
  row.fate = before === null ? 'new' : 'changed';
  row.id = item.id;
  row.changes = before === null ? [] : changesOf(into, before, item);
}

const SET_BY_ITSELF = ['id', 'revision', 'created_at', 'updated_at'];
const shown = (value: unknown): string => String(cellOf(value) ?? '').slice(0, VALUE_MOST);

export function changesOf(
  { columns }: Pick<ImportedRows, 'columns'>,
  before: object,
  after: object,
): ImportedRow['changes'] {
  return columns.flatMap((member) => {
    const [was, is] = [memberOf(before, member), memberOf(after, member)];
    return SET_BY_ITSELF.includes(member) || sameCell(was, is)
      ? []
      : [{ member, before: shown(was), after: shown(is) }];
  });
}

function faultsOf({ into, file }: Importing, { line }: Row, problem: Problem): RowFault[] {
  const blockers = problem.members.blockers?.map(({ subject, reason }) => ` ${subject}: ${reason}`) ?? [];
  const whole = [{ pointer: '', detail: `${problem.message}${blockers.join('')}` }];
  const errors = problem.members.errors ?? whole;
  return errors.map(({ pointer, detail }) =>
    faultAt(file, line, columnOf(into, file, pointer.slice(1).split('/')[0] ?? ''), detail),
  );
}
