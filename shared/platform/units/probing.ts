// Probes a service that was just reloaded until it answers as applied or the time is over.
import type { ProbeResult } from './unit.ts';

/**
 * The result of one question: the fault, null where the service answers as applied; and the question with its answer.
 */
export interface Asked {
  fault: string | null;
  said: string;
}

/** Waits so many milliseconds; tests replace it. */
export type Pause = (milliseconds: number) => Promise<unknown>;
export const pausing: Pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface Patience {
  attempts: number;
  pause_ms: number;
  limit_ms: number;
}

/** `unasked`: the fault where the time was over before the first question. */
export async function askUntilRight(
  ask: () => Promise<Asked>,
  { attempts, pause_ms, limit_ms }: Patience,
  pause: Pause,
  unasked = 'The service was not asked in time.',
): Promise<ProbeResult> {
  const start = performance.now();
  let fault = unasked;
  for (let attempt = 0; attempt < attempts && performance.now() - start < limit_ms; attempt += 1) {
    if (attempt > 0) await pause(pause_ms);
    const asked = await ask();
    if (asked.fault === null) return { ok: true, said: asked.said };
    fault = asked.fault;
  }
  return { ok: false, said: fault };
}

/** What an answer that is not as applied says among the differences of a host: a clause without its capital and its stop. */
export const driftOf = ({ fault }: Asked): string[] =>
  fault === null ? [] : [fault.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()).replace(/\.$/, '')];
