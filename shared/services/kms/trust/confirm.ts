// The own password before anything that reaches keys: letting a client in, and bringing a destroyed key back. A session that
// was left open, or a token that was stolen, is not enough; with a token it is the password of the user whose token it is.
export { confirmOwner } from '../../../kernel/operation/confirm-owner.ts';

/** For descriptions of operations. */
export const PASSWORD_ASKED =
  'It asks for the own password, or with a token for the password of the token’s user: a token alone is not enough to reach a key. Wrong guesses are recorded, and slowed like a sign-in.';

export const NEW_CLIENT = { action: 'kms.client.create', resource_type: 'kms_client', resource_id: null };
