// The caller's own account: what the API answers, and what its page accepts.
import * as v from 'valibot';
import { component, described, idSchema, instantSchema, text } from '../../ground/schemas/component.ts';
import { PASSWORD_MAX_LENGTH } from './password.ts';
import { endedEntries, passwordSchema, roleSchema, scope } from './schemas.ts';

export const accountSchema = component(
  'Account',
  v.object({
    user_id: text('Id of the user.'),
    user_name: text('Name with which the user signs in.'),
    role: roleSchema,
    scopes: v.pipe(v.array(scope), v.description('The scopes that work now.')),
    credential: described(
      v.object({
        kind: described(v.literal('token'), 'An API token; nothing else reaches this operation.'),
        id: idSchema,
        name: v.pipe(v.string(), v.description('What the token is for.')),
        scopes: v.pipe(
          v.array(scope),
          v.description('The scopes that the token lists, whether or not the role includes them.'),
        ),
        created_at: instantSchema,
        expires_at: instantSchema,
        created_by_token: v.pipe(
          v.nullable(v.string()),
          v.description(
            'Id of the token that it was created with; null when a session or the command line created it.',
          ),
        ),
      }),
      'What the request was authenticated with.',
    ),
  }),
);

export const passwordChangeSchema = component(
  'PasswordChange',
  v.strictObject({
    current_password: v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH), v.description('The password as it is now.')),
    new_password: passwordSchema,
    keep_tokens: v.optional(
      described(v.boolean(), '`true` keeps the user’s API tokens, which end otherwise: the calling one too.'),
    ),
  }),
  { current_password: 'the passphrase until now', new_password: 'a passphrase of your own', keep_tokens: true },
);

export const passwordChangedSchema = component('PasswordChanged', v.object(endedEntries));

/** As the form sends it. */
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
