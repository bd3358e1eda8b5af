// The authorization of one boot by the code on its console. A wrong code counts, and the fifth ends the attempt: both
// are committed although the caller is refused.

import { Problem } from '../../../ground/problems.ts';
import { equalInConstantTime } from '../../../ground/sealing/keys.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { type Applied, appliedHost } from '../manifest.ts';
import { type EndReason, standing, type Window, windowFrom } from './attempt.ts';
import {
  type Attempt,
  countWrongCode,
  endAttempt,
  findAttempt,
  issueAttempt,
  pendingAttempts,
} from './attempt-store.ts';
import { noteMisfit, refuseHasty } from './authorize-throttle.ts';
import { codeHash, readCode, WRONG_CODES_MOST } from './boot-code.ts';
import { capabilityOf, secretHash } from './capability.ts';
import { type BootShell, lifetime, now } from './context.ts';
import { differences, driftBlockers, readDesiredHost } from './drift.ts';
import { boundTo } from './poll.ts';

/** An attempt that a refused code counted against, or ended. */
export interface Counted {
  attempt: Attempt;
  wrong_codes: number;
  /** Why the attempt ended; null while codes may still be tried. */
  reason: EndReason | null;
}

export type Authorized =
  | { issued: { attempt: Attempt; window: Window }; refuse?: never }
  /** Refused, after writes that have to be committed. */
  | { refuse: Problem; counted: Counted[]; issued?: never };

const refusedCode = (): Problem =>
  new Problem(
    'boot_code_refused',
    'This is not the code that the host shows now. Read it from the console again. A code is valid for ten minutes, and for five attempts.',
  );

/**
 * Issues the pending attempt of a host, when the code is that of its console.
 * @throws Problem 404 for a host that is not saved; 409 when there is nothing to authorize, with nothing written.
 */
export async function authorizeOnce(
  tx: Transaction,
  shell: BootShell,
  asked: {
    host_id: string;
    boot_code: string;
    applied: Applied | null;
    by: string;
    /** The host's pending attempt, where it was found already. */
    pending?: Attempt;
  },
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
  const attempt = asked.pending ?? (await findAttempt(tx, 'pending_of_host', host_id));
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
 * The same for a code without a host. A code that matches no attempt does not count against any of them, since five
 * slips must not end every waiting boot. It counts against the user instead, see authorize-throttle.ts; a text that
 * can't be a code does not count.
 * @throws Problem 429 while the user has to wait; 409 for a text that can't be a code, and when no boot waits
 */
export async function authorizeByCode(
  tx: Transaction,
  shell: BootShell,
  { boot_code, applied, by, user_id }: { boot_code: string; applied: Applied | null; by: string; user_id: string },
): Promise<Authorized> {
  const moment = now(shell);
  await refuseHasty(tx, user_id, moment.at);
  const code = readCode(boot_code);
  if (code === null) throw misfit('This can’t be a code: codes have eight letters, without I and O.');
  const named = await findAttempt(tx, 'pending_code', codeHash(shell.keys, code));
  if (named && standing(named, moment) === 'pending') {
    const done = await authorizeOnce(tx, shell, { host_id: named.host_id, boot_code, applied, by, pending: named });
    return done.refuse ? { ...done, refuse: atField(done.refuse) } : done;
  }
  if (!(await pendingAttempts(tx)).some((attempt) => standing(attempt, moment) === 'pending')) {
    throw misfit('No boot waits for a code now.');
  }
  await noteMisfit(tx, user_id, moment.at);
  return { refuse: misfit('No console that waits shows this code. Read it from the console again.'), counted: [] };
}

const misfit = (detail: string): Problem => atField(new Problem('boot_code_refused', detail));

/** The same refusal, with a pointer to the field. */
const atField = ({ code, message, members }: Problem): Problem =>
  new Problem(code, message, { ...members, errors: [{ pointer: '/boot_code', detail: message }] });
