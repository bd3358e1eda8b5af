// Schemas of tokens and users.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { plainText } from '../../ground/schemas/plain-text.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './password.ts';
import { PERSON_PASSWORD_MAX } from './password-rules.ts';
import { ROLES, SCOPES, type Scope } from './scopes.ts';
import { TOKEN_LIFETIME } from './token.ts';
import { USER_NAME } from './user.ts';

export const scope = v.picklist(SCOPES as readonly [Scope, ...Scope[]], 'Not a scope of this appliance.');

const scopes = v.pipe(
  v.array(scope),
  v.minLength(1, 'Choose at least one scope.'),
  v.maxLength(SCOPES.length),
  v.description('`read:<resource>` or `write:<resource>`; a write scope includes the read of the same resource.'),
);

export const tokenSchema = component(
  'ApiToken',
  described(
    v.object({
      id: idSchema,
      name: v.pipe(v.string(), v.description('What the token is for.')),
      scopes: v.pipe(v.array(scope), v.description('The scopes that the token lists.')),
      created_at: instantSchema,
      expires_at: instantSchema,
      last_used_at: v.pipe(v.nullable(v.string()), v.description('Written at most once a minute.')),
      last_used_from: v.pipe(v.nullable(v.string()), v.description('Source address of the last use.')),
      revoked_at: described(v.nullable(v.string()), 'When it was revoked, RFC 3339 in UTC; null while it was not.'),
      created_by: createdBy,
      created_by_token: v.pipe(
        v.nullable(v.string()),
        v.description(
          'Id of the token that it was created with, and that it ends with; null when a session or the command line created it.',
        ),
      ),
      state: described(v.picklist(['active', 'expired', 'revoked']), 'Whether it works; `active` does.'),
    }),
    'A bearer token for a program. Its secret is only in the answer of its creation.',
  ),
);
/** `view` of a token that was revoked. */
export const tokenRevokedSchema = component(
  'ApiTokenRevoked',
  v.object({
    ...tokenSchema.entries,
    tokens_ended: v.pipe(
      integerSchema,
      v.description('Tokens that ended: this one, and those that were created with it.'),
    ),
  }),
);
export const tokenListSchema = listOf('ApiTokenList', tokenSchema);

export const tokenCreateSchema = component(
  'ApiTokenCreate',
  v.strictObject({
    name: v.pipe(
      v.string(),
      v.minLength(1, 'Say what the token is for.'),
      v.maxLength(80),
      plainText,
      v.description('What the token is for.'),
    ),
    scopes,
    lifetime_seconds: v.optional(
      v.pipe(
        v.number('Expected a number of seconds.'),
        v.integer(),
        v.minValue(TOKEN_LIFETIME.min, 'At least one hour.'),
        v.maxValue(TOKEN_LIFETIME.max, 'At most 365 days.'),
        v.description('From now; 3600 to 31536000, default 2592000 (30 days).'),
      ),
    ),
  }),
  { name: 'Inventory script', scopes: ['read:interfaces', 'write:dns'], lifetime_seconds: 86400 },
);

export const tokenCreatedSchema = component(
  'ApiTokenCreated',
  v.object({
    token: tokenSchema,
    secret: v.pipe(v.string(), v.description('The bearer token. It is shown in this answer only.')),
  }),
);

export const roleSchema = described(
  v.picklist(ROLES, 'Expected admin, service-admin, network-admin or viewer.'),
  'Role of the user, which bounds the scopes of the user’s sessions and tokens.',
);
const enabledUser = described(v.boolean(), 'Whether the user may sign in. False also ends the API tokens for good.');

export const userSchema = component(
  'User',
  v.object({
    id: idSchema,
    name: text('Name with which the user signs in.'),
    role: roleSchema,
    enabled: enabledUser,
    external: described(
      v.boolean(),
      'Whether the user signs in at the external provider: there is no password here, and the role follows the groups there at each sign-in.',
    ),
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
/** What became of the sessions. */
export const endedSessionsEntries = {
  sessions_ended: v.pipe(integerSchema, v.description('Sessions of the user that ended.')),
  oidc_sessions_ended: v.pipe(
    integerSchema,
    v.description('Browsers in which the user was signed in at the OpenID Connect provider, which ended as well.'),
  ),
};
/** What became of the sessions and tokens. */
export const endedEntries = {
  ...endedSessionsEntries,
  tokens_ended: v.pipe(integerSchema, v.description('API tokens of the user that stopped for good.')),
  tokens_kept: v.pipe(
    integerSchema,
    v.description('API tokens of the user that still work. They never reach beyond the user’s role.'),
  ),
};
/** A user after a change. */
export const userChangedSchema = component('UserChanged', v.object({ ...userSchema.entries, ...endedEntries }));
export const userListSchema = listOf('UserList', userSchema);

export const passwordSchema = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN_LENGTH, `At least ${PASSWORD_MIN_LENGTH} characters.`),
  v.maxLength(PASSWORD_MAX_LENGTH),
  // The number of characters is counted with the other rules: a character can be more than one code unit.
  v.description(
    `${PASSWORD_MIN_LENGTH} to ${PERSON_PASSWORD_MAX} characters. Refused: a common password, also with digits and signs around it; the user name, also with digits and signs; a repetition, a sequence, or neighbouring keys.`,
  ),
);

export const userCreateSchema = component(
  'UserCreate',
  v.strictObject({
    name: v.pipe(
      v.string(),
      v.regex(USER_NAME, 'Lower-case letters, digits, dot, dash and underscore; 1 to 32, beginning with a letter.'),
      v.description(
        'Name with which the user signs in: 1 to 32 lower-case letters, digits, dots, hyphens and underscores. Unique.',
      ),
    ),
    role: roleSchema,
    password: passwordSchema,
  }),
  { name: 'ada', role: 'viewer', password: 'a passphrase of your own' },
);

export const userUpdateSchema = component(
  'UserUpdate',
  v.strictObject({
    role: v.optional(roleSchema),
    enabled: v.optional(enabledUser),
    password: v.optional(passwordSchema),
    keep_tokens: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'With a new password: `true` keeps the user’s API tokens, which end otherwise. A disabled user keeps none.',
        ),
      ),
    ),
  }),
  { role: 'viewer', enabled: true },
);
