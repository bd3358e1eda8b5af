// The caller's own account: what the API answers, and what its page accepts.
import * as v from 'valibot';
import { component, instantSchema } from '../operation/component.ts';
import { passwordSchema, scope } from './schemas.ts';
import { ROLES } from './scopes.ts';

export const accountSchema = component(
  'Account',
  v.object({
    user_id: v.string(),
    user_name: v.string(),
    role: v.picklist(ROLES),
    scopes: v.pipe(v.array(scope), v.description('The scopes that work now.')),
    credential: v.object({
      kind: v.literal('token'),
      id: v.string(),
      name: v.pipe(v.string(), v.description('What the token is for.')),
      scopes: v.pipe(
        v.array(scope),
        v.description('The scopes that the token lists, whether or not the role includes them.'),
      ),
      created_at: instantSchema,
      expires_at: instantSchema,
      created_by_token: v.pipe(
        v.nullable(v.string()),
        v.description('Id of the token that it was created with; null when a session or the command line created it.'),
      ),
    }),
  }),
);

export const ownPasswordSchema = v.pipe(
  v.strictObject({ new_password: passwordSchema, repeated_password: v.string(), keep_tokens: v.boolean() }),
  v.forward(
    v.partialCheck(
      [['new_password'], ['repeated_password']],
      ({ new_password, repeated_password }) => new_password === repeated_password,
      'The two new passwords differ.',
    ),
    ['repeated_password'],
  ),
);
