// Schemas of clients. No answer has the secret but that of the request which made it.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idSchema,
  instantSchema,
  listOf,
  text,
} from '../../../ground/schemas/component.ts';
import { plainText } from '../../../ground/schemas/plain-text.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../../platform/units/kept-members.ts';
import { PRESETS } from './presets.ts';
import { redirectFault, URI_MOST, URIS_MOST } from './redirect-uris.ts';

export const SOURCES = ['appliance', 'directory'] as const;
export type Source = (typeof SOURCES)[number];

/** Groups that a client is told of, at most; each has at most so many characters. */
export const GROUPS_MOST = 100;
export const GROUP_MOST = 128;
/** Seconds for which a former secret is taken beside the new one: at most 30 days, by default one. */
export const OVERLAP = { most: 30 * 86_400, usual: 86_400 };

const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A name is missing.'),
  v.maxLength(64, 'At most 64 characters.'),
  plainText,
  v.description('Unique, 1 to 64 characters: shown to users when they sign in.'),
);
const preset = described(
  v.picklist(PRESETS),
  'What product it is: it decides what `requires_pkce` and `refresh_tokens` are where they are left out. It can’t be changed later.',
);
const uri = v.pipe(
  v.string(),
  v.check(
    (sent) => redirectFault(sent) === null,
    ({ input }) => redirectFault(String(input)) ?? '',
  ),
);
const uris = (least: number, what: string) =>
  v.pipe(
    v.array(uri),
    v.minLength(least, 'At least one.'),
    v.maxLength(URIS_MOST, `At most ${URIS_MOST}.`),
    v.check((sent) => new Set(sent).size === sent.length, 'Each only once.'),
    v.description(
      `${what} Compared letter by letter. https, or http to localhost, 127.0.0.1 or [::1]; without wildcard, user name and fragment; each at most ${URI_MOST} bytes.`,
    ),
  );
const redirectUris = uris(1, `Where the browser is sent after signing in: 1 to ${URIS_MOST}.`);
const logoutUris = uris(0, `Where the browser may be sent after signing out: at most ${URIS_MOST}.`);
const pkce = described(
  v.boolean(),
  'Whether a code challenge (PKCE, RFC 7636, S256) has to be sent. One that is sent is checked in any case.',
);
const refresh = described(
  v.boolean(),
  'Whether it is given refresh tokens: then it may ask for new tokens without the person, until that one signs out, or 12 hours after the browser was last here. Each is good for one use.',
);
const source = described(
  v.picklist(SOURCES),
  'Who signs in: users of the appliance, or of one organization of the directory. It can’t be changed later, since people would become others to the client.',
);
const organization = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9-]{0,63}$/, 'Short name of an organization of the directory.'),
  v.description('Short name of the organization, with the source directory; else empty. It can’t be changed later.'),
);
const groupName = (what: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'A name is missing.'),
    v.maxLength(GROUP_MOST, `At most ${GROUP_MOST} characters.`),
    plainText,
    v.description(what),
  );
const sendsGroups = v.pipe(
  v.array(
    v.strictObject({
      // In the order of the alphabet, as an archive has it: a row that comes back is the same to the byte.
      as: groupName('The name that the client gets.'),
      group: groupName('Group of the person, whatever its case.'),
    }),
  ),
  v.maxLength(GROUPS_MOST, `At most ${GROUPS_MOST}.`),
  v.check(
    (sent) => new Set(sent.map(({ group }) => group.toLowerCase())).size === sent.length,
    'Each group only once.',
  ),
  v.description(
    'Which groups the claim `groups` names, and as what. Empty: all groups of the person, by their own names. Of a user of the appliance the role is the only group.',
  ),
);

export const clientSchema = component(
  'OidcClient',
  v.object({
    id: described(idSchema, 'The client id, which the product is given.'),
    name: text('Shown to users when they sign in.'),
    preset: described(v.picklist(PRESETS), 'What product it is.'),
    redirect_uris: described(v.array(v.string()), 'Where the browser is sent after signing in.'),
    logout_uris: described(v.array(v.string()), 'Where the browser may be sent after signing out.'),
    requires_pkce: described(v.boolean(), 'Whether a code challenge has to be sent.'),
    refresh_tokens: described(v.boolean(), 'Whether it is given refresh tokens.'),
    source: described(v.picklist(SOURCES), 'Who signs in.'),
    organization: text('Short name of the organization of the directory; else empty.'),
    sends_groups: described(
      v.array(v.object({ group: text('Group of the person.'), as: text('The name that the client gets.') })),
      'Which groups it gets, and under which names; empty: all.',
    ),
    secret_made_at: described(instantSchema, 'When its secret was made.'),
    former_until: described(v.nullable(instantSchema), 'Until when the former secret is taken as well.'),
    last_token_at: described(v.nullable(instantSchema), 'When it was last given tokens.'),
    last_token_for: described(v.nullable(v.string()), 'For whom.'),
    created_by: createdBy,
    ...KEPT_MEMBERS,
  }),
);
export const clientListSchema = listOf('OidcClientList', clientSchema);

const CHANGEABLE = {
  name: v.optional(name),
  description: v.optional(descriptionMember),
  enabled: v.optional(enabledMember('nobody can sign in to it, and its tokens are not accepted.')),
  redirect_uris: v.optional(redirectUris),
  logout_uris: v.optional(logoutUris),
  requires_pkce: v.optional(pkce),
  refresh_tokens: v.optional(refresh),
  sends_groups: v.optional(sendsGroups),
};
export const clientCreateSchema = component(
  'OidcClientCreate',
  v.strictObject({
    ...CHANGEABLE,
    name,
    preset: v.optional(preset, 'generic'),
    redirect_uris: redirectUris,
    source: v.optional(source, 'appliance'),
    organization: v.optional(organization, ''),
  }),
  {
    name: 'vc01',
    preset: 'vcenter',
    redirect_uris: ['https://vc01.lab.example/federation/t/CUSTOMER/auth/response/oauth2'],
  },
);
export const clientUpdateSchema = component('OidcClientUpdate', v.strictObject(CHANGEABLE), {
  description: 'vCenter of the management domain',
});

const SECRET = text('The client secret, which is in no other answer: only a digest is kept.');
export const clientMadeSchema = component(
  'OidcClientMade',
  v.object({ client: described(clientSchema, 'The client.'), client_secret: SECRET }),
);
export const secretRotateSchema = component(
  'OidcSecretRotate',
  v.strictObject({
    overlap_seconds: v.optional(
      v.pipe(
        v.number(),
        v.integer('A whole number.'),
        v.minValue(0, 'Not below 0.'),
        v.maxValue(OVERLAP.most, `At most ${OVERLAP.most}.`),
        v.description(
          `Seconds for which the former secret is taken as well: 0 to ${OVERLAP.most}, default ${OVERLAP.usual}. 0 ends it at once.`,
        ),
      ),
      OVERLAP.usual,
    ),
  }),
  { overlap_seconds: 3600 },
);
