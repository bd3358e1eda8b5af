// The refused rows of an import: all are counted, the first are told and kept.
import { csv } from '../../../../ground/csv.ts';
import { ERRORS_MOST, type ErrorCode, type FieldError, Problem } from '../../../../ground/problems.ts';
import { REFUSED_KEPT, type SourceType } from './limits.ts';

export interface RefusedRow {
  /** Place among the rows, from 0. */
  at: number;
  line: number;
  member: string;
  detail: string;
  /** What the row says, as far as it could be read. */
  said: [fqdn: string, type: string, value: string] | null;
}

export interface RefusedRows {
  rows: number;
  first: RefusedRow[];
}

interface About {
  at: number;
  line: number;
  draft: { fqdn: string; type: string; value: string } | null;
}

/** Characters of a value that are kept: whoever looks for it has the file. */
const SAID_MOST = 200;

export class Refused {
  readonly #noun: string;
  readonly #rows = new Set<number>();
  #faults = 0;
  readonly #first: RefusedRow[] = [];
  readonly #codes = new Set<ErrorCode>();

  constructor(type: SourceType) {
    this.#noun = type === 'application/json' ? 'Row' : 'Line';
  }

  /** How many rows are refused. */
  get rows(): number {
    return this.#rows.size;
  }

  /** How many faults they have. */
  get faults(): number {
    return this.#faults;
  }

  has(at: number): boolean {
    return this.#rows.has(at);
  }

  get kept(): RefusedRows {
    return { rows: this.rows, first: this.#first.toSorted((one, other) => one.at - other.at) };
  }

  add({ at, line, draft }: About, { member, code, detail }: { member: string; code: ErrorCode; detail: string }): void {
    this.#rows.add(at);
    this.#faults++;
    this.#codes.add(code);
    if (this.#first.length >= REFUSED_KEPT) return;
    const short = (text: string) => (text.length > SAID_MOST ? `${text.slice(0, SAID_MOST)}…` : text);
    const said: RefusedRow['said'] = draft && [short(draft.fqdn), short(draft.type), short(draft.value)];
    this.#first.push({ at, line, member, detail, said });
  }

  /** 422 when a row has a fault in itself, else 409; names the first. */
  problem(): Problem {
    const { rows, first } = this.kept;
    const errors: FieldError[] = first.slice(0, ERRORS_MOST).map(({ at, line, member, detail }) => ({
      pointer: member === '' ? `/${at}` : `/${at}/${member}`,
      detail: `${this.#noun} ${line}: ${detail}`,
    }));
    const many = rows === 1 ? '1 row is refused' : `${rows} rows are refused`;
    return new Problem(this.#code(), `${many}, so nothing was saved. Mend them, and send the file again.`, { errors });
  }

  #code(): ErrorCode {
    if (this.#codes.has('request_validation_failed')) return 'request_validation_failed';
    return this.#codes.size === 1 && this.#codes.has('already_exists') ? 'already_exists' : 'state_conflict';
  }
}

/** For a spreadsheet. */
export function refusedCsv({ first }: RefusedRows): string {
  const rows = first.map(({ line, member, detail, said }) => [line, member, detail, ...(said ?? ['', '', ''])]);
  return csv([['line', 'field', 'reason', 'fqdn', 'type', 'value'], ...rows]);
}
