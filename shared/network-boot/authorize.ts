// The authorization of one boot by the code on its console. A wrong code counts, and the fifth burns the attempt: both stay
// although the caller is refused.

import { equalInConstantTime } from '../access/keys.ts';
import { Problem } from '../operation/problems.ts';
import type { Transaction } from '../store/database.ts';
import { type EndReason, standing, type Window, windowFrom } from './attempt.ts';
import {
  type Attempt,
  countWrongCode,
  endAttempt,
  findAttempt,
  issueAttempt,
  pendingAttempts,
} from './attempt-store.ts';
import { codeHash, readCode, WRONG_CODES_MOST } from './boot-code.ts';
import { capabilityOf, secretHash } from './capability.ts';
import { type BootShell, lifetime, now } from './context.ts';
import { differences, driftBlockers, readDesiredHost } from './drift.ts';
import { type Applied, appliedHost } from './manifest.ts';
import { boundTo } from './poll.ts';

/** An attempt that a refused code counted against, or ended. */
export interface Counted {
  attempt: Attempt;
  wrong_codes: number;
  /** Why it ended; null while it may still be tried. */
  reason: EndReason | null;
}

export type Authorized =
  | { issued: { attempt: Attempt; window: Window }; refuse?: never }
  /** Written and to be kept, but refused. */
  | { refuse: Problem; counted: Counted[]; issued?: never };

const refusedCode = (): Problem =>
  new Problem(
    'boot_code_refused',
    'This is not the code of a boot of this host that waits now. Read it from the console again; a code holds ten minutes, and five wrong ones end it.',
  );

/**
 * Issues the pending attempt of a host, when the code is that of its console.
 * @throws Problem 404 for a host that is not saved; 409 when there is nothing to authorize, with nothing written.
 */
export async function authorizeOnce(
  tx: Transaction,
  shell: BootShell,
  asked: { host_id: string; boot_code: string; applied: Applied | null; by: string },
): Promise<Authorized> {
  const { host_id, boot_code, applied, by } = asked;
  const desired = await readDesiredHost(tx, host_id);
  if (!desired) throw new Problem('resource_not_found', 'This ESXi host does not exist.');
  const found = applied && appliedHost(applied, { id: host_id });
  if (!applied || !found?.kickstart || !found.medium) {
    throw new Problem(
      'applied_state_unavailable',
      'Network boot was not applied with this host, its Kickstart and its installer medium. Apply network boot first.',
    );
  }
  const moment = now(shell);
  const attempt = await findAttempt(tx, 'pending_of_host', host_id);
  if (!attempt || standing(attempt, moment) !== 'pending') throw refusedCode();
  const code = readCode(boot_code);
  // Compared even when it can't be a code, so that both take as long.
  const right = equalInConstantTime(codeHash(shell.keys, code ?? ''), attempt.code_hash);
  if (!right || code === null) return { refuse: refusedCode(), counted: [await counted(tx, attempt, moment.at)] };
  const found_differences = differences(desired, found);
  if (found_differences.length > 0) {
    const what = found_differences.map(({ label }) => label).join(', ');
    throw new Problem('host_drifted', `The saved host differs from the applied one in: ${what}.`, {
      blockers: driftBlockers(desired, found_differences),
    });
  }
  if (!boundTo(applied, attempt)) {
    await endAttempt(tx, attempt.id, 'applied-changed', moment.at);
    const { wrong_codes } = attempt;
    return { refuse: refusedCode(), counted: [{ attempt, wrong_codes, reason: 'applied-changed' }] };
  }
  const window = windowFrom(moment, lifetime(shell));
  const capability_hash = secretHash(capabilityOf(shell.keys, attempt));
  if (!(await issueAttempt(tx, attempt, { now: moment, window, capability_hash, by }))) throw refusedCode();
  return { issued: { attempt, window } };
}

async function counted(tx: Transaction, attempt: Attempt, at: Date): Promise<Counted> {
  const wrong_codes = await countWrongCode(tx, attempt);
  const over = wrong_codes >= WRONG_CODES_MOST && (await endAttempt(tx, attempt.id, 'wrong-codes', at));
  return { attempt, wrong_codes, reason: over ? 'wrong-codes' : null };
}

/**
 * The same for a code of which nobody said whose it is. A wrong one was a guess at every attempt that waits, and counts
 * against each of them: so no attempt is ever compared with more than five wrong codes.
 */
export async function authorizeByCode(
  tx: Transaction,
  shell: BootShell,
  { boot_code, applied, by }: { boot_code: string; applied: Applied | null; by: string },
): Promise<Authorized> {
  const at_field = (problem: Problem): Problem =>
    new Problem(problem.code, problem.message, { errors: [{ pointer: '/boot_code', detail: problem.message }] });
  const code = readCode(boot_code);
  const named = code === null ? null : await findAttempt(tx, 'pending_code', codeHash(shell.keys, code));
  if (named) {
    const done = await authorizeOnce(tx, shell, { host_id: named.host_id, boot_code, applied, by });
    return done.refuse ? { ...done, refuse: at_field(done.refuse) } : done;
  }
  const moment = now(shell);
  const waiting = (await pendingAttempts(tx)).filter((attempt) => standing(attempt, moment) === 'pending');
  if (waiting.length === 0) throw at_field(new Problem('boot_code_refused', 'No boot waits for a code now.'));
  const tried: Counted[] = [];
  for (const attempt of waiting) tried.push(await counted(tx, attempt, moment.at));
  const detail = 'No console that waits shows this code. The fifth wrong code ends the boots that wait.';
  return { refuse: at_field(new Problem('boot_code_refused', detail)), counted: tried };
}
