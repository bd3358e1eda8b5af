// The own password for operations that a token reaches as well: then it is the password of the user whose token it is.
import { instant } from '../../ground/clock.ts';
import { findUser } from '../access/user.ts';
import { type ConfirmedWork, confirmPassword, OWN_PASSWORD } from './confirm-password.ts';
import type { MutationContext } from './operation.ts';

type Asking = Pick<
  MutationContext<unknown, unknown, { own_password: string }>,
  'services' | 'actor' | 'request' | 'body'
>;

/** For an operation of a token. @throws Problem 422 at `/own_password`, 429 */
export async function confirmOwner(
  { services, actor, request, body }: Asking,
  event: ConfirmedWork['event'],
): Promise<void> {
  const { name } = await findUser(services.store, actor.user_id!);
  const who = { at: instant(request.now), actor, request_id: request.id, source_address: request.source_address };
  await confirmPassword(services, who, body.own_password, { event, pointer: `/${OWN_PASSWORD}`, user_name: name });
}

/** For descriptions of operations. */
export const OWNER_ASKED =
  'It asks for the password of the token’s user; wrong guesses are recorded, and slowed like a sign-in.';
