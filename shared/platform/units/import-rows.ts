// Rows of a CSV file as members of a collection's items: which columns there are, and what each cell says. The columns are those
// of the file that the list of the collection is downloaded as. Pure, but for the names that stand for ids.
import * as v from 'valibot';
import { type CsvFault, type CsvRow, delimiterOf, readCsv, truthOf } from '../../ground/csv.ts';
import { ERRORS_MOST, type FieldError, invalid } from '../../ground/problems.ts';
import type { ImportedRows } from './imported-rows.ts';

/** Rows of a file. */
export const IMPORT_ROWS_MOST = 1_000;
/** Bytes of a file. */
export const IMPORT_BYTES = 1 << 20;
/** Cells of a line: more than any collection has columns. */
const CELLS_MOST = 64;

export interface FileRow {
  line: number;
  /** By column. */
  cells: ReadonlyMap<string, string>;
}

export interface ImportFile {
  head: readonly string[];
  rows: FileRow[];
}

/** A fault of a cell: `column` is its place in the line, from 1. */
export interface RowFault extends CsvFault {
  name: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a schema of an object, whatever its members.
const entriesOf = (schema: any): Record<string, v.GenericSchema> => schema.entries;

/** Members that a new row may have, and those that a saved one may change. */
export function takenMembers({ columns, schemas }: ImportedRows): { fresh: string[]; changeable: string[] } {
  const { create, update } = schemas;
  return {
    fresh: columns.filter((member) => Object.hasOwn(entriesOf(create), member)),
    changeable: columns.filter((member) => Object.hasOwn(entriesOf(update), member)),
  };
}

/** All columns that a file may have; what only the appliance sets is passed over. */
export function knownColumns({ taken, columns, names }: ImportedRows): readonly string[] {
  return taken ?? [...new Set([...columns, ...Object.keys(names)])];
}

/** Columns that are read, names before the ids that they stand for. */
export function readColumns(into: ImportedRows): readonly string[] {
  const { names, taken } = into;
  if (taken) return taken;
  const ids = Object.values(names).map(({ of }) => of);
  return [...Object.keys(names), ...takenMembers(into).fresh.filter((member) => !ids.includes(member))];
}

const placed = ({ line, column, name, detail }: RowFault): FieldError => ({
  pointer: '/csv',
  detail: `Line ${line}, column ${column}${name === '' ? '' : ` (${name})`}: ${detail}`,
});

/** @throws Problem 422 at `/csv`, always: the first faults, and how many more there are. */
export function refuseRows(faults: readonly RowFault[]): never {
  const most = ERRORS_MOST - 1;
  const more = faults.length - most;
  const last = more > 0 ? [{ pointer: '/csv', detail: `${more} more faults: a preview has them.` }] : [];
  throw invalid(...([...faults.slice(0, most).map(placed), ...last] as [FieldError, ...FieldError[]]));
}

const atHead = (line: number, column: number, detail: string): RowFault => ({ line, column, name: '', detail });

/** @throws Problem 422 at `/csv` for a file that can't be read, or whose columns are not those of the collection */
export function readFile(into: ImportedRows, text: string): ImportFile {
  if (Buffer.byteLength(text) > IMPORT_BYTES)
    throw invalid({ pointer: '/csv', detail: `At most ${IMPORT_BYTES} bytes.` });
  const { rows, fault } = readCsv(text, { delimiter: delimiterOf(text), most: CELLS_MOST });
  if (fault) refuseRows([{ ...fault, name: '' }]);
  const [first, ...rest] = rows;
  if (!first) refuseRows([atHead(1, 1, 'There is no line with the names of the columns.')]);
  const head = first.cells.map((name) => name.trim().toLowerCase());
  const wrong = headFaults(into, first.line, head);
  if (wrong.length > 0) refuseRows(wrong);
  const { most = IMPORT_ROWS_MOST } = into;
  if (rest.length > most) refuseRows([atHead(rest[most]!.line, 1, `At most ${most} rows at once.`)]);
  const uneven = rest.flatMap((row) => unevenFaults(head, row));
  if (uneven.length > 0) refuseRows(uneven);
  return {
    head,
    rows: rest.map(({ line, cells }) => ({ line, cells: new Map(head.map((name, at) => [name, cells[at]!])) })),
  };
}

function headFaults(into: ImportedRows, line: number, head: readonly string[]): RowFault[] {
  const known = knownColumns(into);
  const { key, names } = into;
  const faults = head.flatMap((name, at): RowFault[] => {
    if (!known.includes(name)) {
      const told = `There is no column ${JSON.stringify(name.slice(0, 64))}: there are ${readColumns(into).join(', ')}.`;
      return [atHead(line, at + 1, told)];
    }
    return head.indexOf(name) < at ? [atHead(line, at + 1, `The column ${name} is there twice.`)] : [];
  });
  const missing = key.filter(
    (member) =>
      !head.includes(member) &&
      !Object.entries(names).some(([column, { of }]) => of === member && head.includes(column)),
  );
  return [
    ...faults,
    ...missing.map((member) => atHead(line, 1, `The column ${member} is missing: rows are known by it.`)),
  ];
}

/** A row that ends early is no row that empties the rest: a file may be cut off. */
function unevenFaults(head: readonly string[], { line, cells }: CsvRow): RowFault[] {
  if (cells.length > head.length) return [atHead(line, head.length + 1, 'The head has no such column.')];
  if (cells.length === head.length) return [];
  const name = head[cells.length]!;
  return [{ line, column: cells.length + 1, name, detail: 'The row ends before the columns of the head.' }];
}

/** Names of ids, by column: name → id. */
export type KnownIds = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What the cells of a row say, as members of a body. A cell that says nothing leaves its member as it is. */
export function membersOf(
  into: ImportedRows,
  { line, cells }: FileRow,
  { head, ids }: { head: readonly string[]; ids: KnownIds },
): { members: Record<string, unknown>; faults: RowFault[] } {
  const { names } = into;
  const members: Record<string, unknown> = {};
  const faults: RowFault[] = [];
  const fault = (name: string, detail: string) =>
    void faults.push({ line, column: head.indexOf(name) + 1, name, detail });
  for (const member of takenMembers(into).fresh) {
    const cell = cells.get(member);
    if (cell === undefined) continue;
    const read = valueIn(into, member, cell);
    if (read && 'detail' in read) fault(member, read.detail);
    else if (read) members[member] = read.value;
  }
  for (const [column, { of }] of Object.entries(names)) {
    const cell = cells.get(column);
    // What a name stands for is what is meant: ids are those of the appliance that wrote the file.
    if (cell === undefined || (cell === '' && cells.has(of))) continue;
    const id = ids.get(column)?.get(cell);
    if (cell === '') members[of] = null;
    else if (id === undefined) fault(column, `There is no ${column} ${JSON.stringify(cell.slice(0, 64))}.`);
    else members[of] = id;
  }
  return { members, faults };
}

type Read = { value: unknown } | { detail: string } | null;

/** Null: the cell is empty, and the member has no empty value. */
function valueIn(into: ImportedRows, member: string, cell: string): Read {
  const kind = into.kind(member);
  const accepts = (value: unknown): boolean => v.safeParse(entriesOf(into.schemas.create)[member]!, value).success;
  if (kind === 'boolean') {
    const truth = truthOf(cell);
    if (truth !== undefined) return { value: truth };
    return cell.trim() === '' ? null : { detail: 'Must be true or false.' };
  }
  if (kind === 'integer') {
    if (/^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(cell)) return { value: Number(cell) };
    return cell.trim() === '' ? null : { detail: 'Must be a number.' };
  }
  if (kind === 'json') return listOf(cell, accepts);
  if (cell === '' && kind === 'nullable') return { value: null };
  return cell !== '' || accepts('') ? { value: cell } : null;
}

function listOf(cell: string, accepts: (value: unknown) => boolean): Read {
  const text = cell.trim();
  if (text === '') return accepts([]) ? { value: [] } : null;
  if (!/^[[{]/.test(text)) return { value: text.split(/\s+/) };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { detail: 'Begins like JSON, and is none: items are divided by spaces, or a list in JSON.' };
  }
}
