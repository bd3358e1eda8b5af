// Reads on the event loop as long as they are short, and apart where they may not be. A read is short when all tables that it
// opens are small, or when it finds its rows by keys, passes none by without giving it, sorts and sums nothing, and gives few of
// them. What a statement opens and does stands in its program (EXPLAIN); how large a table can be, in its greatest rowid, which
// is found in one step.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Apart } from './apart.ts';
import type { Row, SqlValue } from './database.ts';
import type { DriverConnection, PreparedStatement } from './driver.ts';
import { bound, rowsOf } from './node-sqlite.ts';
import { RememberedReads } from './remembered-reads.ts';

/** Rows of a table that is read through in less than a millisecond. */
const SMALL_TABLE = 2_000;
/** Rows that one read gives on the event loop. */
const ROWS = 1_000;

/** Steps of a program that go through whatever is there, whole, before or without giving a row. */
const WHOLE = new Set(['Rewind', 'Last', 'Count', 'Sort', 'SorterSort', 'AggStep', 'OpenAutoindex']);

/** Those of them that are about a cursor. */
const CURSORS = new Set(['Rewind', 'Last', 'Count']);
const OPENS = new Set(['OpenRead', 'ReopenIdx']);
/** Ends of a pass through a loop, and what counts it: a row that is given, or a place of the LIMIT that is taken. */
const PASSES = new Set(['Next', 'Prev']);
const COUNTED = new Set(['ResultRow', 'DecrJumpZero']);

export interface Reading {
  /** Names of the tables that it opens. */
  tables: string[];
  /** It goes through a whole table or index, through what it collects, or through rows that it does not give. */
  whole: boolean;
  /** It makes its rows itself, who knows how many. */
  endless: boolean;
}

type Patiently = <T>(work: () => T) => Promise<T>;

/** Reads of `database`, long ones on the connection `apart`. */
export function boundedReader(database: DatabaseSync, apart: Apart, patiently: Patiently): DriverConnection {
  const tables = new Tables(database);
  const remembered = new RememberedReads(database);
  return {
    async exec(sql) {
      await patiently(() => database.exec(sql));
      apart.set(sql);
    },
    async prepare(sql): Promise<PreparedStatement> {
      const [statement, reading] = await patiently(() => [database.prepare(sql), tables.reading(sql)] as const);
      const far = apart.prepare(sql);
      const known = reading.tables.length > 0 ? remembered.of(sql) : null;
      const row = rowsOf(statement);
      const near = (parameters: readonly SqlValue[]) =>
        tables.mayBeLong(reading) ? null : firstRows(statement, row, parameters);
      return {
        async all(parameters) {
          const read = () => near(parameters);
          const rows = await patiently(() => (known ? known.rows(parameters, read) : read()));
          return rows ?? (await far).all(parameters);
        },
        run: (parameters) => patiently(() => Number(statement.run(...parameters.map(bound)).changes)),
        finalize: () => undefined, // with its last reference
      };
    },
    async close() {
      await apart.close();
      database.close();
    },
  };
}

/** Null: there are more than may be read here. */
function firstRows(
  statement: StatementSync,
  made: ReturnType<typeof rowsOf>,
  parameters: readonly SqlValue[],
): Row[] | null {
  const rows: Row[] = [];
  for (const row of statement.iterate(...parameters.map(bound))) {
    if (rows.length === ROWS) return null;
    rows.push(made(row));
  }
  return rows;
}

/** The tables of a database: what statements do with them, and how large they are. */
export class Tables {
  readonly #database: DatabaseSync;
  /** Root page of a table or an index → the table. */
  #roots = new Map<number, string>();
  readonly #sizes = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** What a statement opens and does, from SQLite's own program for it. */
  reading(sql: string): Reading {
    if (/^\s*(?:PRAGMA|EXPLAIN)\b/i.test(sql)) return { tables: [], whole: false, endless: false };
    const program = this.#database.prepare(`EXPLAIN ${sql}`).all() as unknown as Step[];
    const opened = new Map<number, string>();
    let whole = false;
    for (const { opcode, p1, p2 } of program) {
      if (OPENS.has(opcode)) opened.set(p1, this.#tableAt(p2));
      // A cursor on what the statement made itself is as large as what filled it.
      if (WHOLE.has(opcode) && (opened.has(p1) || !CURSORS.has(opcode))) whole = true;
    }
    whole ||= program.some((step, at) => PASSES.has(step.opcode) && opened.has(step.p1) && passesBy(program, step, at));
    // What counts up by itself has no table, and no end that could be seen.
    const endless = opened.size === 0 && /\bRECURSIVE\b/i.test(sql);
    return { tables: [...new Set(opened.values())], whole: whole || endless, endless };
  }

  mayBeLong({ tables, whole, endless }: Reading): boolean {
    return endless || (whole && !tables.every((table) => this.#isSmall(table)));
  }

  #isSmall(table: string): boolean {
    const size = this.#sizes.get(table) ?? this.#sizeOf(table);
    this.#sizes.set(table, size);
    return ((size.get() as { n: number | null }).n ?? 0) <= SMALL_TABLE;
  }

  /** The greatest rowid, or of a table without rowids as many rows as are worth counting. */
  #sizeOf(table: string): StatementSync {
    try {
      return this.#database.prepare(`SELECT max(rowid) AS n FROM "${table}"`);
    } catch {
      return this.#database.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM "${table}" LIMIT ${SMALL_TABLE + 1})`);
    }
  }

  #tableAt(root: number): string {
    if (!this.#roots.has(root)) {
      const rows = this.#database.prepare('SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0').all();
      const found = rows as { rootpage: number; tbl_name: string }[];
      this.#roots = new Map(found.map(({ rootpage, tbl_name }) => [rootpage, tbl_name]));
      this.#roots.set(1, 'sqlite_schema');
    }
    return this.#roots.get(root) ?? '';
  }
}

/**
 * Whether a loop, from the target of its last step to that step, may pass a row by: nothing is counted in it, or something jumps
 * past what is. Steps of an index that a search finds are few only when each of them gives a row.
 */
function passesBy(program: readonly Step[], { p2: first }: Step, last: number): boolean {
  const body = program.slice(first, last);
  const counted = body.findIndex(({ opcode }) => COUNTED.has(opcode));
  if (counted < 0) return true;
  const past = (target: number) => target > first + counted && target <= last;
  return body.slice(0, counted).some(({ opcode, p2 }) => !NO_JUMPS.has(opcode) && past(p2));
}

/** Steps of such bodies whose second number is no target. */
const NO_JUMPS = new Set([
  ...[
    'Column',
    'IdxRowid',
    'Rowid',
    'DeferredSeek',
    'Copy',
    'SCopy',
    'Integer',
    'String8',
    'Null',
    'Function',
    'PureFunc',
  ],
  ...['Affinity', 'MakeRecord', 'Variable', 'RealAffinity', 'Concat', 'Add', 'Subtract', 'Multiply', 'Divide', 'Int64'],
  ...[
    'Cast',
    'Noop',
    'NullRow',
    'Move',
    'Collseq',
    'Real',
    'Blob',
    'VColumn',
    'OpenRead',
    'OpenEphemeral',
    'IdxInsert',
  ],
]);

interface Step {
  opcode: string;
  p1: number;
  p2: number;
}
