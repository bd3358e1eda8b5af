// The rows of an imported file, CSV, a JSON list or lines of a zone file, one after the other: each a record to create, or the
// faults that it has in itself. Pure but for the turns that it leaves to others.
import { type CsvRow, csvRows, delimiterOf, truthOf } from '../../../../ground/csv.ts';
import { itemSlices } from '../../../../ground/json-items.ts';
import { type FieldError, invalid, Problem } from '../../../../ground/problems.ts';
import { checked } from '../../../../kernel/operation/checked.ts';
import { parseJson } from '../../../../kernel/operation/json-body.ts';
import { recordCreateSchema } from '../../schemas.ts';
import { recordLines } from '../record-lines.ts';
import type { RecordDraft } from '../record-store.ts';
import { ROW_CHARACTERS, ROWS_MOST, type SourceType } from './limits.ts';

export interface ImportRow {
  /** From 0. */
  at: number;
  /** Where people find it: its line, or in a JSON list its number from 1. */
  line: number;
  /** Null: it could not be read as a record at all. */
  draft: RecordDraft | null;
  faults: { member: string; detail: string }[];
}

/** Columns of a file; those that an export has beside them are passed over. */
const COLUMNS = ['fqdn', 'type', 'value', 'description', 'enabled'] as const;
const REQUIRED = ['fqdn', 'type', 'value'] as const;
const PASSED_OVER: readonly string[] = ['owner', 'updated_at'];
const COLUMNS_MOST = COLUMNS.length + PASSED_OVER.length;

/** Items that are parsed in one go. */
const SLICE = 100;

/** A text and how it is read; `zone` completes the names of lines. */
export interface Source {
  text: string;
  type: SourceType;
  zone?: string | undefined;
}

/** What a text is that nobody named: lines, unless it begins as a list or with names of columns. */
export function typeOf(text: string): SourceType {
  if (/^\ufeff?\s*\[/.test(text.slice(0, 256))) return 'application/json';
  const begins = /^\ufeff?(?:[ \t]*(?:[#;].*)?\r?\n)*/.exec(text)![0].length;
  const first = text.slice(begins, begins + ROW_CHARACTERS).split('\n', 1)[0]!;
  const cells = first.split(delimiterOf(first)).map((cell) => cell.replaceAll('"', '').trim());
  const named = cells.some((cell) => cell.toLowerCase() === 'fqdn');
  // Other names of columns are a fault of the first line, not of each.
  const words = cells.length > 1 && !/\s/.test(first.trim()) && cells.every((cell) => /^[a-z_]*$/i.test(cell));
  return named || words ? 'text/csv' : 'text/plain';
}

/**
 * Null for a line with nothing in it.
 * @throws Problem 422 when the text can't be read as a file of this type, or has more rows than are taken
 */
export function* importRows(source: Source): Generator<ImportRow | null> {
  let count = 0;
  for (const row of ROWS[source.type](source)) {
    if (row !== null && ++count > ROWS_MOST)
      throw unreadable(`At most ${ROWS_MOST} rows at once; send the rest in another file.`);
    yield row;
  }
  if (count === 0) throw unreadable('The file has no rows.');
}

const unreadable = (detail: string): Problem => invalid({ pointer: '', detail });

const ROWS: Readonly<Record<SourceType, (source: Source) => Generator<ImportRow | null>>> = {
  'text/csv': ({ text }) => rowsOfCsv(text),
  'application/json': ({ text }) => rowsOfJson(text),
  'text/plain': rowsOfLines,
};

function* rowsOfLines({ text, zone = '' }: Source): Generator<ImportRow | null> {
  let at = 0;
  for (const { line, records } of recordLines(text.replace(/^\ufeff/, ''), zone)) {
    if (records.length === 0) yield null;
    for (const record of records) yield { ...drafted(at++, record), line };
  }
}

function* rowsOfCsv(text: string): Generator<ImportRow | null> {
  let columns: readonly string[] | null = null;
  let at = 0;
  for (const row of csvRows(text, COLUMNS_MOST, delimiterOf(text))) {
    if ('detail' in row) throw unreadable(`Line ${row.line}: ${row.detail}`);
    if (row.cells.length === 0) yield null;
    else if (columns === null) columns = columnsOf(row);
    else yield { ...rowOf(at++, row, columns), line: row.line };
  }
}

function columnsOf({ cells, line }: CsvRow): readonly string[] {
  const columns = cells.map((cell) => cell.trim().toLowerCase());
  const unknown = columns.find((name) => !isColumn(name) && !PASSED_OVER.includes(name));
  if (unknown !== undefined) {
    throw unreadable(
      `Line ${line}: one of the columns is not known. The first line names them: ${COLUMNS.join(', ')}.`,
    );
  }
  if (new Set(columns).size < columns.length) throw unreadable(`Line ${line}: a column is there twice.`);
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing !== undefined) throw unreadable(`Line ${line}: the column ${missing} is missing.`);
  return columns;
}

const isColumn = (name: string): boolean => (COLUMNS as readonly string[]).includes(name);

function rowOf(at: number, { cells }: CsvRow, columns: readonly string[]): Omit<ImportRow, 'line'> {
  if (cells.length > columns.length) {
    return { at, draft: null, faults: [{ member: '', detail: 'More cells than columns.' }] };
  }
  const members: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (!isColumn(name) || (cell === '' && name === 'enabled')) continue;
    members[name] = name === 'enabled' ? (truthOf(cell) ?? cell) : cell;
  }
  return drafted(at, members);
}

function* rowsOfJson(text: string): Generator<ImportRow> {
  for (const slice of itemSlices(text, { items: SLICE, length: ROW_CHARACTERS })) {
    const line = slice.at + 1;
    if ('fault' in slice) {
      throw unreadable(
        slice.fault === 'no list'
          ? `The body is no whole JSON list of records; it can’t be read at row ${line}.`
          : `Row ${line}: at most ${ROW_CHARACTERS} characters.`,
      );
    }
    for (const [index, item] of itemsOf(slice.text, line).entries()) {
      const at = slice.at + index;
      yield { ...drafted(at, item), line: at + 1 };
    }
  }
}

/** @throws Problem 422 that names the rows: whatever is wrong with JSON, a parser finds in all of it. */
function itemsOf(text: string, line: number): unknown[] {
  try {
    return parseJson(text) as unknown[];
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    const [fault] = (problem.members.errors as FieldError[] | undefined) ?? [];
    const index = Number(/^\/(\d+)/.exec(fault?.pointer ?? '')?.[1] ?? Number.NaN);
    const where = Number.isNaN(index) ? `One of the rows from ${line} on` : `Row ${line + index}`;
    throw unreadable(`${where}: ${fault?.detail ?? problem.message}`);
  }
}

const IN_ROW = { pointer: ([name = '']: string[]) => name, unknown: 'This property is not supported.' };

function drafted(at: number, item: unknown): Omit<ImportRow, 'line'> {
  const errors: FieldError[] = [];
  const draft = checked(recordCreateSchema, item, IN_ROW, errors) as RecordDraft | undefined;
  return { at, draft: draft ?? null, faults: errors.map(({ pointer, detail }) => ({ member: pointer, detail })) };
}
