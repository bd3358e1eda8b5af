// Rows as CSV (RFC 4180), safe to open in a spreadsheet, and read back.

export type Cell = string | number | boolean | null;

/** Lines end in CR LF; null is an empty cell. */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Rows that are written at once: others have their turn before the next ones. */
const PART = 500;

/** A file part by part: its head at once, and rows as they come. */
export async function* csvParts<T>(
  head: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  cells: (row: T) => readonly Cell[],
): AsyncGenerator<string> {
  yield csv([head]);
  for await (const rows of pages) {
    for (let at = 0; at < rows.length; at += PART) yield csv(rows.slice(at, at + PART).map(cells));
  }
}

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
});

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe before it. So does one that has apostrophes before it
 * already, or reading would take one of them away.
 */
function cell(value: Cell): string {
  const plain = String(value ?? '');
  const text = typeof value === 'string' && /^'*[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface CsvRow {
  /** From 1: where it begins. */
  line: number;
  cells: string[];
}

export interface CsvFault {
  line: number;
  /** From 1. */
  column: number;
  detail: string;
}

/** What stands between cells; spreadsheets of some languages write semicolons, and what is copied out of one has tabs. */
export type Delimiter = ',' | ';' | '\t';

/** The one that the first line has most of, outside of quotes. */
export function delimiterOf(text: string): Delimiter {
  const begun = text.replace(/^[\ufeff\s]+/, '');
  const end = begun.indexOf('\n');
  const bare = (end < 0 ? begun : begun.slice(0, end)).replaceAll(/"[^"]*"/g, '');
  const many = (delimiter: Delimiter): number => bare.split(delimiter).length;
  const [most] = ([',', ';', '\t'] as const).toSorted((one, other) => many(other) - many(one));
  return most!;
}

/**
 * Reads CSV: commas, or another delimiter, quotes doubled within quotes, lines that end in LF or CR LF, and the mark that some
 * programs put before UTF-8. Rows that have anything in them; a fault when quotes are not as they should be.
 */
export function readCsv(
  text: string,
  { delimiter = ',', most }: { delimiter?: Delimiter; most?: number } = {},
): { rows: CsvRow[]; fault: CsvFault | null } {
  const rows: CsvRow[] = [];
  for (const row of csvRows(text, most, delimiter)) {
    if ('detail' in row) return { rows, fault: row };
    if (row.cells.length > 0) rows.push(row);
  }
  return { rows, fault: null };
}

/**
 * The same row by row; after a fault there is none. A row of more than `most` cells is one. One that has nothing in it comes
 * without cells, so that whoever reads millions of them can leave turns to others.
 */
export function* csvRows(
  text: string,
  most = Number.POSITIVE_INFINITY,
  delimiter: Delimiter = ',',
): Generator<CsvRow | CsvFault> {
  const source = text.replace(/^\ufeff/, '');
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  for (let at = 0; at <= source.length; ) {
    const cell = cellAt(source, at, delimiter);
    const column = row.cells.length + 1;
    if (cell === null) return yield { line, column, detail: 'A quote is not closed.' };
    if (column > most) return yield { line, column, detail: `At most ${most} cells in a line.` };
    line += cell.lines;
    row.cells.push(guardTaken(cell.text));
    const next = source[cell.end];
    if (next === delimiter) {
      at = cell.end + 1;
      continue;
    }
    const broken = next === undefined ? 0 : /^\r?\n/.exec(source.slice(cell.end, cell.end + 2))?.[0].length;
    if (broken === undefined)
      return yield {
        line,
        column,
        detail: next === '\r' ? CR_ALONE : `Expected ${DELIMITERS[delimiter]} after the quote.`,
      };
    if (broken > 0) line += 1;
    if (!row.cells.some((each) => each.trim() !== '')) row.cells.length = 0;
    yield row;
    row = { line, cells: [] };
    if (broken === 0) break;
    at = cell.end + broken;
  }
}

const CR_ALONE = 'The line ends in CR alone: save the file with lines that end in LF or CR LF.';
const DELIMITERS: Readonly<Record<Delimiter, string>> = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' };
const ENDS: Readonly<Record<Delimiter, RegExp>> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g };

/** The cell that begins here: its text, how many lines it breaks, and where it ends; null when it has no end. */
function cellAt(source: string, at: number, delimiter: Delimiter): { text: string; lines: number; end: number } | null {
  if (source[at] !== '"') {
    const plain = ENDS[delimiter];
    plain.lastIndex = at;
    const end = plain.exec(source)?.index ?? source.length;
    return { text: source.slice(at, end), lines: 0, end };
  }
  let end = source.indexOf('"', at + 1);
  while (end >= 0 && source[end + 1] === '"') end = source.indexOf('"', end + 2);
  if (end < 0) return null;
  const text = source.slice(at + 1, end).replaceAll('""', '"');
  return { text, lines: text.split('\n').length - 1, end: end + 1 };
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'wahr', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'falsch', 'no', '0'].map((word) => [word, false] as const),
]);

/** As German spreadsheets write them too; undefined for another word. */
export const truthOf = (cell: string): boolean | undefined => TRUTHS.get(cell.trim().toLowerCase());

/** Writing puts an apostrophe before what a spreadsheet would take for a formula (`cell`). */
const guardTaken = (text: string): string => (/^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text);
