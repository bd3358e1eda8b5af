// Schemas of the external provider. No answer has the client secret.
import * as v from 'valibot';
import { component, described, instantSchema, revisionSchema, text } from '../../../ground/schemas/component.ts';
import { plainText } from '../../../ground/schemas/plain-text.ts';
import { FINGERPRINT } from '../../../ground/x509/certificate.ts';
import { roleSchema } from '../schemas.ts';

export const ISSUER_MOST = 512;
export const ROLES_MOST = 100;
export const GROUP_MOST = 256;

/** What is wrong with it, for people; null: nothing. OpenID Connect Discovery 1.0, 3. */
export function issuerFault(issuer: string): string | null {
  if (Buffer.byteLength(issuer) > ISSUER_MOST) return `At most ${ISSUER_MOST} bytes.`;
  if (!URL.canParse(issuer)) return 'Enter the whole address, such as https://id.lab.example/realms/lab.';
  const { protocol, username, password } = new URL(issuer);
  if (protocol !== 'https:') return 'Only https is spoken: the client secret would be readable on the way.';
  if (username !== '' || password !== '') return 'Leave out the user name and the password.';
  if (issuer.includes('?') || issuer.includes('#')) return 'Leave out the query and the fragment.';
  if (issuer.includes('/.well-known/')) return 'Leave out /.well-known/ and what follows: it is added.';
  return null;
}

const word = (what: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(
      /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/,
      `${what}: 1 to 64 visible ASCII characters, without blanks, quotes and backslashes.`,
    ),
  );
const issuer = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (sent) => issuerFault(sent) === null,
    ({ input }) => issuerFault(String(input)) ?? '',
  ),
  v.description(
    `Issuer, to the letter as the provider names itself in its discovery document: https alone, at most ${ISSUER_MOST} bytes. Endpoints that its discovery document names for tokens, keys and userinfo may be at other origins, over https. They are asked where the rules for remote machines permit all of their addresses, and where they show the certificate that was confirmed for the issuer, or one that an authority trusted by this appliance issued for their name.`,
  ),
);
const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Say what people know it as.'),
  v.maxLength(40, 'At most 40 characters.'),
  plainText,
  v.description('What the button on the sign-in page calls it: “Sign in with …”. At most 40 characters.'),
);
const clientId = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x20-\x7e]{1,256}$/, '1 to 256 visible ASCII characters.'),
  v.description('Client id that the provider gave out.'),
);
const scopes = v.pipe(
  v.array(word('A scope')),
  v.maxLength(20, 'At most 20.'),
  v.description('Scopes that are asked for; `openid` is added.'),
);
const claim = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x21-\x7e]{1,128}$/, '1 to 128 visible ASCII characters.'),
  v.description(
    'Claim with the groups of a person, in the ID token or else from the userinfo endpoint: texts, or one text.',
  ),
);
const group = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A group is missing.'),
  v.maxLength(GROUP_MOST, `At most ${GROUP_MOST} characters.`),
  plainText,
  v.description('Group, to the letter as the claim has it.'),
);
const roles = v.pipe(
  v.array(v.strictObject({ group, role: roleSchema })),
  v.maxLength(ROLES_MOST, `At most ${ROLES_MOST}.`),
  v.description(
    `Which group has which role, at most ${ROLES_MOST}. Anyone in several groups gets the highest role; anyone in none is refused.`,
  ),
);
const contexts = v.pipe(
  v.array(word('A value')),
  v.maxLength(20, 'At most 20.'),
  v.description(
    'Values of `acr` or `amr` in the ID token that stand for a second factor, such as `mfa`. A sign-in with one of them needs no second factor here. Empty: every sign-in is treated as one with a password: who has a second factor here is asked for it, and who must have one adds it.',
  ),
);
const secret = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x20-\x7e]{1,1024}$/, '1 to 1024 visible ASCII characters.'),
  v.description(
    'Client secret that the provider gave out. It is sealed, and in no answer. It may be left out where one is saved and the server stays the same.',
  ),
);

export const providerSchema = component(
  'SignInProvider',
  v.object({
    name: text('What the button on the sign-in page calls it.'),
    enabled: described(v.boolean(), 'Whether the sign-in page offers it, once its certificate is confirmed.'),
    issuer: text('Issuer.'),
    client_id: text('Client id.'),
    scopes: described(v.array(v.string()), 'Scopes that are asked for.'),
    groups_claim: text('Claim with the groups.'),
    roles: described(v.array(v.object({ group: text('Group.'), role: roleSchema })), 'Which group has which role.'),
    trusted_contexts: described(v.array(v.string()), 'Values of `acr` or `amr` that stand for a second factor.'),
    address: described(v.nullable(v.string()), 'The one address that is dialled; null: no certificate is confirmed.'),
    sha256: described(v.nullable(v.string()), 'SHA-256 of the confirmed certificate; null: nobody can sign in.'),
    revision: revisionSchema,
    created_at: instantSchema,
    updated_at: instantSchema,
  }),
);

export const providerPutSchema = component(
  'SignInProviderPut',
  v.strictObject({
    name,
    enabled: v.optional(described(v.boolean(), 'Whether the sign-in page offers it.'), true),
    issuer,
    client_id: clientId,
    client_secret: v.optional(secret),
    scopes: v.optional(scopes, ['openid', 'profile', 'email']),
    groups_claim: v.optional(claim, 'groups'),
    roles,
    trusted_contexts: v.optional(contexts, []),
  }),
  {
    name: 'Lab identity',
    issuer: 'https://id.lab.example/realms/lab',
    client_id: 'groundcrew',
    roles: [{ group: 'gc-admins', role: 'admin' }],
  },
);
export type ProviderPut = v.InferOutput<typeof providerPutSchema>;

export const providerCertificateSchema = component(
  'SignInProviderCertificate',
  v.object({
    server: text('Host, and port where it is not 443.'),
    address: text('The address that was dialled.'),
    sha256: text('SHA-256 of the certificate that the server shows now.'),
    subject: text('Its subject.'),
    valid_until: text('Until when it is valid.'),
    confirmed: described(v.boolean(), 'Whether it is the confirmed one.'),
  }),
);

export const providerConfirmSchema = component(
  'SignInProviderConfirm',
  v.strictObject({
    sha256: v.pipe(
      v.string(),
      v.trim(),
      v.toUpperCase(),
      v.regex(FINGERPRINT, 'SHA-256 of the certificate, in pairs of hexadecimal digits with colons.'),
      v.description('The fingerprint that was compared with the one that the operator of the server knows.'),
    ),
  }),
  { sha256: '5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E:5A:91:0C:7E' },
);
