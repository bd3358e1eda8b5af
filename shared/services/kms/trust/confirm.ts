// The own password before anything that reaches keys: letting a client in, and bringing a destroyed key back. A session that
// was left open, or a token that was stolen, is not enough; with a token it is the password of the user whose token it is.
import { instant } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Actor } from '../../../kernel/access/actor.ts';
import { findUser } from '../../../kernel/access/user.ts';
import { confirmPassword } from '../../../kernel/operation/confirm-password.ts';
import type { Services } from '../../../kernel/operation/services.ts';

/** For descriptions of operations. */
export const PASSWORD_ASKED =
  'It asks for the own password, or with a token for the password of the token’s user: a token alone is not enough to reach a key. Wrong guesses are recorded, and slowed like a sign-in.';

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

export const NEW_CLIENT = { action: 'kms.client.create', resource_type: 'kms_client', resource_id: null };
