// The own password for operations of the API: a session that was left open, or a token that was stolen, is not enough. With a token
// it is the password of the user whose token it is.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Actor } from '../access/actor.ts';
import { findUser } from '../access/user.ts';
import { confirmPassword } from './confirm-password.ts';
import type { Services } from './services.ts';

interface Asked {
  actor: Actor;
  request: { id: string; source_address: string; now: Date };
  body: { own_password: string };
}

/** `event`: what a wrong password is recorded as a failure of. @throws Problem 401, 422 at `/own_password`, 429 */
export async function confirmOwner(
  services: Pick<Services, 'store' | 'keys' | 'clock'>,
  { actor, request, body }: Asked,
  event: { action: string; resource_type: string; resource_id: string | null },
): Promise<void> {
  if (actor.user_id === null) throw new Problem('session_required', 'This needs the password of a user.');
  const { name } = await findUser(services.store, actor.user_id);
  const { id: request_id, source_address, now } = request;
  const who = { at: instant(now), actor, request_id, source_address };
  await confirmPassword(services, who, body.own_password, { event, pointer: '/own_password', user_name: name });
}

/** For descriptions of operations. */
export const OWNER_ASKED =
  'It asks for the password of the token’s user; wrong guesses are recorded, and slowed like a sign-in.';
