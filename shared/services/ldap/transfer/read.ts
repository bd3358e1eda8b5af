// A file of users or groups, read and held against the rules of single ones: each fault with its line and column. Pure.
import { type CsvFault, type CsvRow, readCsv } from '../../../ground/csv.ts';
import { type FieldError, invalid } from '../../../ground/problems.ts';
import { checked } from '../../../kernel/operation/checked.ts';
import type { Draft } from '../../../platform/units/collection.ts';
import { draftOf, type Kind, SHAPES } from './columns.ts';

/** Rows of a file. A larger one is sent in parts. */
export const ROWS_MOST = 2_000;
/** Faults that are named; whoever has more sees the others next time. */
const FAULTS_MOST = 50;

export interface ReadEntry {
  line: number;
  name: string;
  /** Members that its row says. */
  draft: Draft;
}

export interface ReadFile {
  kind: Kind;
  head: string[];
  entries: ReadEntry[];
}

const told = (head: readonly string[], { line, column, detail }: CsvFault): FieldError => {
  const name = head[column - 1];
  return { pointer: '/csv', detail: `Line ${line}, column ${column}${name ? ` (${name})` : ''}: ${detail}` };
};

/** @throws Problem 422 at `/csv`, always */
export function refuseFile(head: readonly string[], faults: readonly CsvFault[]): never {
  const more = faults.length - FAULTS_MOST;
  const last = more > 0 ? [{ pointer: '/csv', detail: `${more} more faults.` }] : [];
  const shown = faults.slice(0, FAULTS_MOST).map((fault) => told(head, fault));
  throw invalid(...([...shown, ...last] as [FieldError, ...FieldError[]]));
}

function headFaults(kind: Kind, { line, cells }: CsvRow): CsvFault[] {
  const { columns, key } = SHAPES[kind];
  const faults = cells.flatMap((name, at): CsvFault[] => {
    const column = at + 1;
    if (!columns.includes(name))
      return [{ line, column, detail: `There is no column ${JSON.stringify(name)}: there are ${columns.join(', ')}.` }];
    return cells.indexOf(name) < at ? [{ line, column, detail: 'This column is there twice.' }] : [];
  });
  return cells.includes(key) ? faults : [...faults, { line, column: 1, detail: `The column ${key} is missing.` }];
}

/** A row that ends early is no row that empties the rest: a file may be cut off. */
function unevenFaults(line: number, cells: number, columns: number): CsvFault[] {
  if (cells > columns) return [{ line, column: columns + 1, detail: 'The head has no such column.' }];
  return cells < columns ? [{ line, column: cells + 1, detail: 'The row ends before the columns of the head.' }] : [];
}

/** @throws Problem 422 at `/csv` naming every fault of head and form */
export function readFile(kind: Kind, text: string): ReadFile {
  const { rows, fault } = readCsv(text);
  const [first, ...rest] = rows;
  if (fault) refuseFile([], [fault]);
  if (!first) refuseFile([], [{ line: 1, column: 1, detail: 'There is no line with the names of columns.' }]);
  const head = first.cells.map((name) => name.trim().toLowerCase());
  const wrong = headFaults(kind, { ...first, cells: head });
  if (wrong.length > 0) refuseFile(head, wrong);
  if (rest.length > ROWS_MOST)
    refuseFile(head, [{ line: rest[ROWS_MOST]!.line, column: 1, detail: `At most ${ROWS_MOST} rows at once.` }]);
  const { key, keyOf } = SHAPES[kind];
  const entries = rest.map(({ line, cells }) => {
    const draft = draftOf(head, cells);
    return { line, name: String(draft[key] ?? ''), draft };
  });
  const seen = new Map<string, number>();
  const faults = rest.flatMap(({ line, cells }, at): CsvFault[] => {
    const name = keyOf(entries[at]!.name);
    const before = seen.get(name);
    seen.set(name, before ?? line);
    const uneven = unevenFaults(line, cells.length, head.length);
    const twice = { line, column: head.indexOf(key) + 1, detail: `This name is on line ${before} already.` };
    return before === undefined ? uneven : [...uneven, twice];
  });
  if (faults.length > 0) refuseFile(head, faults);
  return { kind, head, entries };
}

/** Column of a member; where its column is not there, that of the name. */
export const columnOf = ({ kind, head }: ReadFile, member: string): number =>
  (head.includes(member) ? head.indexOf(member) : head.indexOf(SHAPES[kind].key)) + 1;

/** An entry by the schema of a new one, or of a change; its members as they are saved. */
export function settledEntry(
  file: ReadFile,
  { line, draft }: ReadEntry,
  organization_id: string | null,
): { draft: Draft; faults: CsvFault[] } {
  const { collection, key } = SHAPES[file.kind];
  const { [key]: _, ...rest } = draft;
  const fresh = organization_id !== null;
  const schema = fresh ? collection.schemas.create : collection.schemas.update;
  const errors: FieldError[] = [];
  const place = { pointer: (path: readonly string[]) => path[0] ?? '', unknown: '' };
  const read = checked(schema, fresh ? { organization_id, ...draft } : rest, place, errors);
  if (errors.length === 0) return { draft: read as Draft, faults: [] };
  const faults = errors.map(({ pointer: member, detail }) => ({
    line,
    column: columnOf(file, member),
    detail: file.head.includes(member) ? detail : `A new entry needs ${member}.`,
  }));
  return { draft, faults };
}
