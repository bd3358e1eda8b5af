// Progress of the steps of one run: reported as often as they like, written at most once a second.
import type { Progress } from './job.ts';
import { Pace } from './pace.ts';

export interface ProgressFacts {
  /** 0 to 100; follows from the bytes or the rows when it is not given. */
  percent?: number;
  done_bytes?: number;
  total_bytes?: number;
  done_rows?: number;
  total_rows?: number;
  /** Follows from the bytes of the last seconds when it is not given. */
  bytes_per_second?: number;
  /** Null: no estimate. */
  seconds_left?: number | null;
}

interface Told {
  percent: number;
  progress: Progress;
}

const EVERY_MS = 1000;

interface Step {
  facts: ProgressFacts;
  pace: Pace;
  /** A report is not written yet. */
  waits: boolean;
  written_at: number;
  timer: NodeJS.Timeout | null;
}

export class TaskProgress {
  readonly #steps = new Map<string, Step>();
  readonly #later: (name: string) => void;

  /** `later` is called when the last report has waited long enough. */
  constructor(later: (name: string) => void) {
    this.#later = later;
  }

  /** True: it is to be written now. */
  take(name: string, facts: ProgressFacts): boolean {
    const now = performance.now();
    const step = this.#steps.get(name) ?? this.#begin(name);
    step.facts = facts;
    step.waits = true;
    if (facts.done_bytes !== undefined) step.pace.told(now, amount(facts.done_bytes));
    const left = step.written_at + EVERY_MS - now;
    if (left <= 0) {
      step.written_at = now;
      return true;
    }
    step.timer ??= setTimeout(() => {
      step.timer = null;
      if (!step.waits) return;
      step.written_at = performance.now();
      this.#later(name);
    }, left).unref();
    return false;
  }

  /** Names of the steps with an unwritten report. */
  get waiting(): string[] {
    return [...this.#steps].filter(([, { waits }]) => waits).map(([name]) => name);
  }

  /** Null when all reports are written. */
  toWrite(name: string): Told | null {
    const step = this.#steps.get(name);
    if (!step?.waits) return null;
    step.waits = false;
    return toldOf(step);
  }

  /** The step begins again. */
  forget(name: string): void {
    clearTimeout(this.#steps.get(name)?.timer ?? undefined);
    this.#steps.delete(name);
  }

  close(): void {
    for (const name of [...this.#steps.keys()]) this.forget(name);
  }

  #begin(name: string): Step {
    const step: Step = { facts: {}, pace: new Pace(), waits: false, written_at: Number.NEGATIVE_INFINITY, timer: null };
    this.#steps.set(name, step);
    return step;
  }
}

function toldOf({ facts, pace }: Step): Told {
  const { percent, done_bytes, total_bytes, done_rows, total_rows, bytes_per_second, seconds_left } = facts;
  const done = done_bytes === undefined ? undefined : amount(done_bytes);
  const total = total_bytes === undefined ? undefined : amount(total_bytes);
  const progress: Progress = {
    ...(done !== undefined && { done_bytes: done }),
    ...(total !== undefined && { total_bytes: total }),
    ...(done_rows !== undefined && { done_rows: amount(done_rows) }),
    ...(total_rows !== undefined && { total_rows: amount(total_rows) }),
    ...(done !== undefined && pace.figures(total)),
    ...(bytes_per_second !== undefined && { bytes_per_second: amount(bytes_per_second) }),
    ...(seconds_left !== undefined && { seconds_left: seconds_left === null ? null : amount(seconds_left) }),
  };
  const [part, whole] = total ? [done, total] : [done_rows, total_rows];
  const share = whole ? (100 * (part ?? 0)) / whole : 0;
  return { percent: Math.min(100, amount(percent ?? share)), progress };
}

/** A whole number from 0; anything else counts as 0. */
const amount = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0);
