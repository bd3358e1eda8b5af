// Schemas of second factors: the own ones, those of a user, and the policy.
import * as v from 'valibot';
import {
  component,
  described,
  idSchema,
  instantSchema,
  integerSchema,
  revisionSchema,
  text,
} from '../../../ground/schemas/component.ts';
import { plainText } from '../../../ground/schemas/plain-text.ts';
import { PASSWORD_MAX_LENGTH } from '../password.ts';
import { endedSessionsEntries, roleSchema } from '../schemas.ts';
import { ROLES } from '../scopes.ts';
import { FACTOR_KINDS } from './factor-store.ts';
import { USER_VERIFICATIONS } from './policy.ts';

export const factorSchema = component(
  'SecondFactor',
  v.object({
    id: idSchema,
    kind: described(v.picklist(FACTOR_KINDS), '`totp`: an authenticator app (RFC 6238); `passkey`: WebAuthn.'),
    name: text('What its user calls it.'),
    rp_id: described(
      v.nullable(v.string()),
      'Name of the appliance that a passkey is bound to: it works under this name alone. Null for an authenticator.',
    ),
    created_at: instantSchema,
    last_used_at: described(v.nullable(v.string()), 'When it was last used, RFC 3339 in UTC; null: not yet.'),
  }),
);

export const factorsSchema = component(
  'SecondFactors',
  v.object({
    items: described(v.array(factorSchema), 'Oldest first; at most 10.'),
    recovery_codes_left: described(integerSchema, 'Recovery codes that were not used yet.'),
    required: described(v.boolean(), 'Whether the role of the user must have a second factor.'),
  }),
);

const own_password = v.pipe(
  v.string(),
  v.maxLength(PASSWORD_MAX_LENGTH),
  v.description('The own password; with a token that of the token’s user.'),
);

const factorName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Say which one it is: a phone, a key.'),
  v.maxLength(80),
  plainText,
  v.description('What its user calls it: the phone, the key.'),
);

const code = v.pipe(
  v.string(),
  v.minLength(1, 'Enter the code.'),
  v.maxLength(64),
  v.description('Six digits of the authenticator.'),
);

export const totpBeginSchema = component('TotpBegin', v.strictObject({ name: factorName, own_password }), {
  name: 'Phone',
  own_password: '…',
});
/** As the forms send it. */
export const totpNameSchema = v.strictObject({ name: factorName });

export const totpBegunSchema = component(
  'TotpBegun',
  v.object({
    factor_id: text('Id for the confirmation.'),
    secret: text('For the app, base32 (RFC 4648). It is only in this answer.'),
    otpauth_uri: text('The same as the address that an app reads from a QR code.'),
    expires_at: described(v.string(), 'Until when its first code is taken, RFC 3339 in UTC.'),
  }),
);

export const totpConfirmSchema = component('TotpConfirm', v.strictObject({ code }), { code: '123456' });

export const factorAddedSchema = component(
  'SecondFactorAdded',
  v.object({
    factor: described(factorSchema, 'The second factor that was added.'),
    recovery_codes: described(
      v.nullable(v.array(v.string())),
      'Ten recovery codes, each good for one sign-in, of a user who had none left; null otherwise. They are only in this answer.',
    ),
  }),
);

export const confirmedByPasswordSchema = component('ConfirmedByPassword', v.strictObject({ own_password }), {
  own_password: '…',
});

export const recoveryCodesSchema = component(
  'RecoveryCodes',
  v.object({
    recovery_codes: described(v.array(v.string()), 'Each good for one sign-in. They are only in this answer.'),
  }),
);

export const factorsResetSchema = component(
  'SecondFactorsReset',
  v.object({
    factors_removed: described(integerSchema, 'Second factors that the user had.'),
    ...endedSessionsEntries,
  }),
);

const roles = v.pipe(
  v.array(roleSchema),
  v.maxLength(ROLES.length),
  v.description(
    'Roles that must have a second factor. Who has none adds one at the next sign-in, before anything else opens.',
  ),
);
const user_verification = described(
  v.picklist(USER_VERIFICATIONS),
  'Whether a passkey has to check who its holder is (PIN, finger, face): `preferred` asks for it, `required` refuses without.',
);

export const policySchema = component(
  'SecondFactorPolicy',
  v.object({ roles, user_verification, revision: revisionSchema }),
);
export const policyUpdateSchema = component('SecondFactorPolicyUpdate', v.strictObject({ roles, user_verification }), {
  roles: ['admin'],
  user_verification: 'preferred',
});

/** As the form of the second step sends it. */
export const codeTypedSchema = v.strictObject({ code });
/** And the form that confirms an authenticator at the sign-in. */
export const confirmTypedSchema = v.strictObject({ factor_id: v.pipe(v.string(), v.maxLength(64)), code });
