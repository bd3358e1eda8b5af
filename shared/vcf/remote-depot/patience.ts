// Waiting for an appliance whose services restart: which faults are temporary, how often it is polled, and for how
// long.

import { deadlineIn } from '../../ground/machine/uptime.ts';
import { type ErrorCode, Problem } from '../../ground/problems.ts';
import { Cancelled, type JobRun } from '../../kernel/jobs/run.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';

/** Milliseconds. Tests set others. */
export const PACE = {
  /** Between two questions. */
  every_ms: 10_000,
  /** For a synchronisation, from its start to its end. */
  sync_ms: 60 * 60_000,
  /** For the result of an appliance's own test, after its depot was set. */
  settle_ms: 2 * 60_000,
  /** For a single question to be answered at last. */
  patience_ms: 10 * 60_000,
  /** After which the end of an earlier synchronisation that failed is not waited out any longer. */
  old_failure_ms: 3 * 60_000,
};

/** Answers of another kind in a row that are borne while services restart. */
const ODD_MOST = 10;

export interface Waiting {
  job: JobRun;
  signal: AbortSignal;
}

const BREAKS: readonly ErrorCode[] = ['remote_unreachable', 'remote_timeout', 'remote_not_tls', 'remote_not_ready'];
const GATEWAY = [502, 503, 504];

/** A broken connection or the answer of a gateway: the request may have been executed. */
export function isBreak(error: unknown): boolean {
  if (error instanceof ApplianceFault && error.words.status !== null) return GATEWAY.includes(error.words.status);
  return error instanceof Problem && BREAKS.includes(error.code);
}

/** Whether the same question may be answered later. A login that is refused is not tried again: accounts lock. */
function passes(error: unknown): 'surely' | 'perhaps' | 'no' {
  if (error instanceof ApplianceFault) {
    if (error.retry) return 'surely';
    return error.reason === 'login_refused' || error.reason === 'not_permitted' ? 'no' : 'perhaps';
  }
  if (!(error instanceof Problem)) return 'no';
  if (BREAKS.includes(error.code)) return 'surely';
  return error.code === 'remote_answer_unusable' ? 'perhaps' : 'no';
}

/** Counts consecutive faults, and reports them once. */
export class Patience {
  readonly #job: JobRun;
  readonly #task: string;
  #failed = 0;
  #odd = 0;

  constructor(job: JobRun, task: string) {
    this.#job = job;
    this.#task = task;
  }

  /** @throws the error, when it can't pass by itself. */
  async bear(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted || error instanceof Cancelled) throw error;
    const likely = passes(error);
    this.#odd = likely === 'perhaps' ? this.#odd + 1 : 0;
    if (likely === 'no' || this.#odd > ODD_MOST) throw error;
    this.#failed += 1;
    const { code } = error as Problem;
    if (this.#failed === 1) await this.#job.say(this.#task, `No usable answer (${code}); its services may restart.`);
  }

  async answered(): Promise<void> {
    const failed = this.#failed;
    this.#failed = 0;
    this.#odd = 0;
    if (failed > 0) await this.#job.say(this.#task, `Answers again, after ${failed} without.`);
  }
}

/** Polls until there is an answer. @throws faults that are not temporary, and any fault after ten minutes. */
export async function patiently<T>({ job, signal }: Waiting, task: string, ask: () => Promise<T>): Promise<T> {
  const patience = new Patience(job, task);
  const over = deadlineIn(job.services, PACE.patience_ms);
  for (;;) {
    try {
      const answer = await ask();
      await patience.answered();
      return answer;
    } catch (error) {
      await patience.bear(error, signal);
      if (over()) throw error;
    }
    await job.sleep(PACE.every_ms);
  }
}

/** Looks until something is found; null when the time is over. */
export async function until<T>({ job }: Waiting, ms: number, look: () => Promise<T | null>): Promise<T | null> {
  const over = deadlineIn(job.services, ms);
  for (;;) {
    const found = await look();
    if (found !== null || over()) return found;
    await job.sleep(PACE.every_ms);
  }
}
