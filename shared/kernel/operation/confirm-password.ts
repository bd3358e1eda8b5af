// Requires the user's own password again before anything that an unattended browser must not do. Guesses are slowed
// like a sign-in, and a wrong password is recorded.

import { invalid, Problem } from '../../ground/problems.ts';
import { isExternal } from '../access/external/people.ts';
import { accountOf } from '../access/sign-in.ts';
import { forgetFailures, inSlot, noteFailure, refuseIfThrottled } from '../access/throttle.ts';
import { verifyUser } from '../access/user.ts';
import { type AuditContext, type AuditEvent, appendAudit } from '../audit/audit.ts';
import type { Services } from './services.ts';

/** Name of the field in forms. */
export const OWN_PASSWORD = 'own_password';

const NO_PASSWORD =
  'You signed in at the external provider and have no password here. A user with a password of this appliance has to do this.';

export interface ConfirmedWork {
  /** The event that the work would write; a wrong password writes it as a failure. */
  event: Pick<AuditEvent, 'action' | 'resource_type' | 'resource_id'>;
  /** JSON pointer of the field that holds the password. */
  pointer: string;
  /** Name of the user, where an API token may ask too: its own name differs. Only a session may without it. */
  user_name?: string;
}

/** Whoever guesses while a restore is being saved learns nothing: right or wrong, the answer is the same. */
const UNLESS_HELD = { unlessHeld: true } as const;

/**
 * @throws Problem 401 without a session, 422 at the field for a wrong password (which is recorded), 429 after too many.
 */
export async function confirmPassword(
  { store, keys, clock }: Pick<Services, 'store' | 'keys' | 'clock'>,
  who: AuditContext,
  password: string,
  { event, pointer, user_name }: ConfirmedWork,
): Promise<void> {
  const { actor, source_address } = who;
  if (actor.kind !== 'session' && user_name === undefined) {
    throw new Problem('session_required', 'This needs a signed-in session.');
  }
  const name = user_name ?? actor.name;
  const now = clock.now();
  const guesser = { source_address, account: accountOf(keys, name), session: actor.credential_id };
  await refuseIfThrottled(store, guesser, now);
  const user = await inSlot(source_address, () => verifyUser(store, name, password));
  if (user && user.id === actor.user_id) {
    await store.write((tx) => forgetFailures(tx, guesser), UNLESS_HELD);
    return;
  }
  if (actor.user_id !== null && (await isExternal(store, actor.user_id)))
    throw invalid({ pointer, detail: NO_PASSWORD });
  await store.write(async (tx) => {
    await noteFailure(tx, guesser, now);
    const refused = { ...event, outcome: 'failure' as const, detail: { refused: 'password' } };
    await appendAudit(tx, keys, who, refused, { holdsLock: true });
  }, UNLESS_HELD);
  throw invalid({ pointer, detail: 'This is not your password.' });
}
