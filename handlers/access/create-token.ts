// Creates an API token and shows its secret, once.
import { tokenCreatedSchema, tokenCreateSchema } from '../../shared/kernel/access/schemas.ts';
import { createToken, TOKEN_LIFETIME } from '../../shared/kernel/access/token.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'createApiToken',
  method: 'POST',
  path: '/api/v1/tokens',
  access: { scope: 'write:tokens' },
  effect: 'immediate',
  tag: 'API tokens',
  summary: 'Create an API token',
  description:
    'Creates a token for the calling user. Changes application state immediately. The secret is in this answer and can never be read again. A token cannot get scopes beyond those of its creator: of the user’s role, and of the calling token. A token that is created with another token expires no later than that one, whatever lifetime was asked for, and ends when that one is revoked.',
  body: tokenCreateSchema,
  answers: {
    201: {
      description: 'The token that was created, and its secret, which is in no other answer.',
      schema: tokenCreatedSchema,
      located: true,
    },
  },
  problems: ['scope_beyond_role'],
  audit: ['token.create'],
  async run({ services, actor, tx, body, audit }) {
    const token_id = actor.kind === 'token' ? actor.credential_id : null;
    const owner = { user_id: actor.user_id!, name: actor.name, scopes: actor.scopes, token_id };
    const created = await createToken(tx, services, owner, {
      name: body.name,
      scopes: body.scopes,
      lifetime: body.lifetime_seconds ?? TOKEN_LIFETIME.default,
    });
    const { id, name, scopes, expires_at, created_by_token } = created.token;
    const detail = { name, scopes, expires_at, ...(created_by_token !== null && { created_by_token }) };
    audit({ action: 'token.create', resource_type: 'token', resource_id: id, detail });
    return { status: 201, body: created, headers: { location: `/api/v1/tokens/${id}` } };
  },
});
