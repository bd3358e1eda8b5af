// What the operator does with plans: makes one of everything that changed, submits it, waits for it, confirms it over a fresh
// connection.
import { expect } from '@jest/globals';
import { pause } from './machine.ts';
import type { Operator } from './operator.ts';

interface Submitted {
  plan_id: string;
  nonce: string;
}

export class Plans {
  readonly #operator: Operator;
  readonly #limit: number;
  readonly #failures: () => string;
  /** Unit → the programs that its first check was made with. */
  readonly checkedBy = new Map<string, string>();

  /** `limit`: milliseconds after which one is taken to hang; `failures`: what the log says went wrong. */
  constructor(operator: Operator, limit: number, failures: () => string) {
    this.#operator = operator;
    this.#limit = limit;
    this.#failures = failures;
  }

  /** Makes a plan of everything that changed and submits it. */
  async submit(wish: { confirm_timeout?: number } = {}): Promise<Submitted> {
    const operator = this.#operator;
    const plan = await operator.expect('POST', '/api/v1/apply/plans', {});
    const failing = plan.units.filter((unit: { check: { ok: boolean } }) => !unit.check.ok);
    expect(failing).toEqual([]);
    for (const { id, check } of plan.units) this.checkedBy.set(id, check.program);
    const path = `/api/v1/apply/plans/${plan.id}/submit`;
    const { confirm } = await operator.expect('POST', path, { digest: plan.digest, ...wish });
    return { plan_id: plan.id, nonce: confirm?.nonce ?? '' };
  }

  /** Asks for the plan until it is in one of these states; on the way it may be out of reach. */
  async is(plan_id: string, states: readonly string[]): Promise<string> {
    const operator = this.#operator;
    let last = '';
    for (const until = performance.now() + this.#limit; performance.now() < until; await pause(400)) {
      const heard = await operator
        .call('GET', `/api/v1/apply/plans/${plan_id}`, undefined, { limit: 30_000 })
        .catch(() => null);
      if (heard?.status !== 200) continue;
      const { state, job_id } = JSON.parse(heard.text);
      if (states.includes(state)) return state;
      if (['failed', 'cancelled', 'reverted'].includes(state)) {
        const job = await operator.expect('GET', `/api/v1/jobs/${job_id}`);
        throw new Error(`${plan_id} is ${state}: ${JSON.stringify(job.error)}\n${this.#failures()}`);
      }
      last = state;
    }
    throw new Error(`${plan_id} is ${last || 'out of reach'} after ${this.#limit / 1000} s\n${this.#failures()}`);
  }

  /** The window is long enough for whatever a machine in software emulation makes of the change. */
  async apply(): Promise<void> {
    const { plan_id, nonce } = await this.submit({ confirm_timeout: 600 });
    if (nonce !== '') {
      await this.is(plan_id, ['confirming']);
      // What was connected before the change proves no way in.
      await this.#operator.expect('POST', `/api/v1/apply/plans/${plan_id}/confirm`, { nonce }, { fresh: true });
    }
    await this.is(plan_id, ['applied']);
  }
}
