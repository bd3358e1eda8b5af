// Schemas of vaults, their entries, and the credentials that a login offers. Requests may have a value; answers never
// do.
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
import { URI_LENGTH_MOST, URIS_MOST } from './uris.ts';

export const VAULT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const ENTRY_KEY = /^[a-z0-9][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_]*)*$/;
/** Characters of a key. */
export const ENTRY_KEY_MOST = 180;
export const ENTRY_SOURCES = ['manual', 'sddc-manager', 'vcf-installer'] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];
/** Characters of a value. */
export const VALUE_LENGTH_MOST = 1024;

const noControls = v.regex<string, string>(/^[^\p{Cc}]*$/u, 'Control characters are not accepted.');

const vaultName = v.pipe(
  v.string(),
  v.regex(VAULT_NAME, 'Lower-case letters, digits and hyphens; 1 to 63, beginning with a letter or digit.'),
  v.description('Unique. Kickstart texts name the vault by it.'),
);
const description = v.pipe(
  v.string(),
  v.maxLength(500, 'At most 500 characters.'),
  plainText,
  v.description(
    'For people; at most 500 characters, none of them a control or an invisible character. No place for a secret: it is shown.',
  ),
);
const entryKey = v.pipe(
  v.string(),
  v.maxLength(ENTRY_KEY_MOST, `At most ${ENTRY_KEY_MOST} characters.`),
  v.regex(
    ENTRY_KEY,
    'Lower-case letters, digits and underscores, in parts with dots between them, such as esx01.root.',
  ),
  v.description('Unique in its vault.'),
);
const username = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  plainText,
  v.trim(),
  v.description('At most 255 characters; none of them invisible; empty where the credential has none.'),
);
const uris = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(URI_LENGTH_MOST, `At most ${URI_LENGTH_MOST} characters.`))),
  v.maxLength(URIS_MOST, `At most ${URIS_MOST} URIs.`),
  v.description(
    `Where the credential is used: at most ${URIS_MOST} of http, https, ssh or sftp, with a host and without user name, password or fragment. They are kept in one spelling, each once.`,
  ),
);
const value = v.pipe(
  v.string(),
  v.minLength(1, 'A value has at least one character; null removes it.'),
  v.maxLength(VALUE_LENGTH_MOST, `At most ${VALUE_LENGTH_MOST} characters.`),
  noControls,
  v.description(`The secret: 1 to ${VALUE_LENGTH_MOST} characters. Stored sealed, and never part of an answer.`),
);

const descriptionAnswer = text('For people; may be empty.');
const keyAnswer = text('Key of the entry, unique in its vault.');
const usernameAnswer = text('User name of the credential; may be empty.');

export const vaultSchema = component(
  'Vault',
  v.object({
    id: idSchema,
    name: text('Unique name; Kickstart texts name the vault by it.'),
    description: descriptionAnswer,
    entry_count: described(integerSchema, 'Entries that it holds.'),
    created_by: createdBy,
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export const vaultListSchema = listOf('VaultList', vaultSchema);
export const vaultCreateSchema = component(
  'VaultCreate',
  v.strictObject({ name: vaultName, description: v.optional(description) }),
  { name: 'management-domain', description: 'Logins of the management domain' },
);
export const vaultUpdateSchema = component(
  'VaultUpdate',
  v.strictObject({ name: v.optional(vaultName), description: v.optional(description) }),
  { description: 'Logins of the management and the workload domain' },
);

export const entrySchema = component(
  'VaultEntry',
  v.object({
    id: idSchema,
    vault_id: text('Id of the vault.'),
    key: keyAnswer,
    username: usernameAnswer,
    description: descriptionAnswer,
    uris: described(v.array(v.string()), 'Where the credential is used.'),
    source: described(v.picklist(ENTRY_SOURCES), 'Typed by a person, or imported from an appliance of this kind.'),
    source_endpoint: described(v.string(), 'Server that it was imported from; empty for one that was typed.'),
    has_value: described(v.boolean(), 'Whether a value is stored. The value itself is never part of an answer.'),
    value_changed_at: v.nullable(instantSchema),
    imported_at: v.nullable(instantSchema),
    last_used_at: described(v.nullable(instantSchema), 'When the value was last opened; the audit log says what for.'),
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export const entryListSchema = listOf('VaultEntryList', entrySchema);
const ENTRY_CHOICES = {
  username: v.optional(username),
  description: v.optional(description),
  uris: v.optional(uris),
};
export const entryCreateSchema = component(
  'VaultEntryCreate',
  v.strictObject({ key: entryKey, ...ENTRY_CHOICES, value: v.optional(value) }),
  {
    key: 'vc01.admin',
    username: 'administrator@vsphere.local',
    value: 'the secret itself',
    uris: ['https://vc01.lab.test'],
    description: 'Single sign-on of the management domain',
  },
);
export const entryUpdateSchema = component(
  'VaultEntryUpdate',
  v.strictObject({
    key: v.optional(entryKey),
    ...ENTRY_CHOICES,
    value: described(v.optional(v.nullable(value)), 'The new secret; null removes the one that is stored.'),
  }),
  { uris: ['https://vc01.lab.test', 'ssh://vc01.lab.test'] },
);

export const credentialSchema = component(
  'VaultCredential',
  v.object({
    choice_id: described(v.string(), 'Names entry and URI; another one once the URI is changed.'),
    entry_id: text('Id of the entry.'),
    key: keyAnswer,
    username: usernameAnswer,
    uri: text('The one of its URIs that is chosen.'),
    server: described(
      v.string(),
      '`host`, or `host:port` where the port is not that of the scheme. A login dials it with TLS whatever the scheme is: without a port, 443.',
    ),
    url: described(v.string(), 'The complete URL, for fields that take one.'),
    description: descriptionAnswer,
    last_used_at: v.nullable(instantSchema),
  }),
);
export const credentialListSchema = listOf('VaultCredentialList', credentialSchema);

export const rotationSchema = component(
  'VaultKeyRotation',
  v.object({ job_id: described(v.string(), 'The job that rotates; its result says what was done.') }),
);

const id = (text: string) => v.pipe(v.string(), v.maxLength(64), v.description(text));
/** Path parameters of one entry. */
export const entryParams = v.strictObject({ vault_id: id('Id of the vault.'), entry_id: id('Id of the entry.') });
