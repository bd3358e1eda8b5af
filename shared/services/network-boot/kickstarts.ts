// Kickstarts: the answers for an ESXi installer. The text is written and never read back; the names of the values that
// it needs are stored beside it.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, invalid, Problem } from '../../ground/problems.ts';
import { component, described, idSchema, integerSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Collection, Draft, Kept, Shell } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { findNamed, lackOf } from '../../platform/vaults/kickstart-names.ts';
import {
  faultWords,
  HOST_FIELDS,
  type HostField,
  missingFor,
  TEXT_MOST,
  type TextFault,
  textFaults,
  usesOf,
} from './kickstart-text.ts';
import { canonicalText, textRevision } from './revision.ts';
import { openedOrNull, openKickstart, sealKickstart } from './sealed-state.ts';
import { vaultFaults } from './vault-values.ts';

export interface Kickstart extends Kept {
  name: string;
  /** SHA-256 of the full text. */
  text_revision: string;
  text_lines: number;
  text_bytes: number;
  host_fields: HostField[];
  variables: string[];
  /** Names of vault values, `<vault>.<key>`; the values are opened when the text is served. */
  vault_values: string[];
  text_sealed: string;
}

const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A name is missing.'),
  v.maxLength(64, 'At most 64 characters.'),
  v.regex(/^[\p{L}\p{N} ._()-]+$/u, 'Letters, digits, spaces, dots, underscores, hyphens and parentheses.'),
  v.description('For people; unique.'),
);
/** Bytes of a body: the longest text with every byte escaped. */
export const KICKSTART_LIMIT = 256 << 10;
export const kickstartTextMember = described(
  v.pipe(v.string(), v.maxLength(TEXT_MOST, `At most ${TEXT_MOST} characters.`)),
  `The whole text, at most ${TEXT_MOST} bytes. Written and never read back. Markers: \`{{ host.<field> }}\` for ${HOST_FIELDS.join(', ')}, \`{{ var.<name> }}\` for variables of the host, and, for who may read vaults, \`{{ vault.<vault>.<key> }}\` for values of vaults, which are looked up when the text is handed out.`,
);

const item = component(
  'Kickstart',
  v.object({
    id: idSchema,
    name: text('For people; unique.'),
    text_revision: described(v.string(), 'SHA-256 of the full text, hexadecimal.'),
    text_lines: described(integerSchema, 'Lines of the text.'),
    text_bytes: described(integerSchema, 'Bytes of the text.'),
    host_fields: described(v.array(v.picklist(HOST_FIELDS)), 'Fields of the host that the text uses.'),
    variables: described(v.array(v.string()), 'Names of the variables that the text uses.'),
    vault_values: described(v.array(v.string()), 'Names of the values of vaults that the text takes: `<vault>.<key>`.'),
    ...KEPT_MEMBERS,
  }),
);
const choices = {
  enabled: v.optional(enabledMember('saved, but no host can use it.')),
  description: v.optional(descriptionMember),
};

export const kickstarts: Collection<Kickstart> = {
  table: 'network_boot_kickstart',
  prefix: 'kickstart',
  noun: 'Kickstart',
  tag: 'Network boot',
  resource: 'pxe',
  path: '/api/v1/network-boot/kickstarts',
  param: 'kickstart_id',
  pages: { all: 'kickstarts', one: 'kickstart', home: 'kickstarts' },
  // Not read from files: a new one needs its text, which is a secret of many lines and in no file.
  listed: { component: 'Kickstarts', noun: 'Kickstart', nouns: 'Kickstarts' },
  action: 'network-boot.kickstart',
  columns: {
    name: 'text',
    text_revision: 'text',
    text_lines: 'integer',
    text_bytes: 'integer',
    host_fields: 'json',
    variables: 'json',
    vault_values: 'json',
    text_sealed: 'text',
  },
  order: ['name'],
  lookups: ['name', 'text_revision', 'enabled'],
  immutable: [],
  defaults: {},
  hidden: { text_sealed: 'text_revision' },
  seal: sealedDraft,
  bodyLimit: KICKSTART_LIMIT,
  schemas: {
    item,
    list: listOf('KickstartList', item),
    create: component('KickstartCreate', v.strictObject({ name, text: kickstartTextMember, ...choices }), {
      name: 'Compute hosts',
      text: 'vmaccepteula\nrootpw {{ var.root_password }}\ninstall --firstdisk --overwritevmfs\nnetwork --bootproto=dhcp\nreboot\n',
      description: 'ESX on the first local disk',
    }),
    update: component(
      'KickstartUpdate',
      v.strictObject({ name: v.optional(name), text: v.optional(kickstartTextMember), ...choices }),
      { name: 'Compute hosts (rack B)', enabled: true },
    ),
  },
  title: (kickstart) => kickstart.name,
  facts: ({ text_revision, text_lines, vault_values, enabled }) => ({
    text_revision,
    text_lines,
    ...(vault_values.length > 0 && { vault_values }),
    enabled,
  }),
  async settle(tx, next, before, shell) {
    if (next.text_revision !== before?.text_revision) await refuseVaultFaults(tx, next, shell);
    else if (next.enabled && !before.enabled) await refuseGone(tx, next);
    // One that comes out of an archive has no former text, and may have hosts.
    if (!before || asksMore(next, before)) await refuseUnmet(tx, next);
    if (before?.enabled !== false && !next.enabled) await refuseWhileNamed(tx, next, 'Disable');
    return next;
  },
  deletable: (tx, kickstart) => refuseWhileNamed(tx, kickstart, 'Delete'),
};

/** @throws Problem 422 with a fault for each line that has one. */
function sealedDraft({ text: sent, ...draft }: Draft, id: string, before: Kickstart | null, shell: Shell): Draft {
  if (typeof sent !== 'string' || !shell.keys) return draft;
  const text = canonicalText(sent);
  const errors = textFaults(text).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw faulty(errors);
  const text_revision = textRevision(text);
  const { keys } = shell;
  // The same text is sealed again when the saved one can't be opened.
  const same = before?.text_revision === text_revision;
  if (same && openedOrNull(() => openKickstart(keys, id, text_revision, before.text_sealed)) !== null) return draft;
  return {
    ...draft,
    ...usesOf(text),
    text_revision,
    text_lines: text.split('\n').length - 1,
    text_bytes: Buffer.byteLength(text),
    text_sealed: sealKickstart({ ...shell, keys }, id, text),
  };
}

const faulty = (faults: readonly TextFault[]): Problem =>
  invalid(...faults.map((fault) => ({ pointer: '/text', detail: faultWords(fault) })));

/**
 * @throws Problem 422 with a fault for each line whose vault value does not exist, or may not be used by the caller.
 */
async function refuseVaultFaults(tx: Database, kickstart: Kickstart, { keys, actor }: Shell): Promise<void> {
  const { id, text_revision, text_sealed, vault_values } = kickstart;
  if (vault_values.length === 0 || !keys) return;
  const faults = await vaultFaults(tx, actor, openKickstart(keys, id, text_revision, text_sealed));
  if (faults.length > 0) throw faulty(faults);
}

/** While a Kickstart was not in use, its vaults and keys could be deleted. @throws Problem 422 */
async function refuseGone(tx: Database, { vault_values }: Kickstart): Promise<void> {
  const found = await findNamed(tx, vault_values);
  const lacks = vault_values.flatMap((name) => lackOf(name, found.get(name)) ?? []);
  if (lacks.length > 0) throw invalid(...lacks.map((detail) => ({ pointer: '/enabled', detail })));
}

/** Whether a text needs values that the previous one did not; hosts have all values that the previous one needed. */
const asksMore = (next: Kickstart, before: Kickstart): boolean =>
  next.variables.some((name) => !before.variables.includes(name)) ||
  next.host_fields.some((field) => !before.host_fields.includes(field));

interface Naming {
  id: string;
  hostname: string;
  ip_address: string;
  variable_names: string;
}

const NAMING = `SELECT id, hostname, ip_address, variable_names FROM network_boot_host WHERE kickstart_id = ?
  ORDER BY hostname`;

/** Hosts that a refusal names, at most. */
const NAMED_MOST = 50;

/** A refusal that names the first of the hosts and counts the others. */
function refusal(code: 'state_conflict' | 'still_referenced', detail: string, blockers: Blocker[]): Problem {
  const more = blockers.length - NAMED_MOST;
  const said = more > 0 ? `${detail} ${NAMED_MOST} of them are named here, ${more} more are not.` : detail;
  return new Problem(code, said, { blockers: blockers.slice(0, NAMED_MOST) });
}

const blocker = ({ id, hostname }: Naming, reason: string, unblock: string): Blocker => ({
  subject: `ESXi host ${hostname}`,
  reason,
  page: pagePath('boot-host', id),
  unblock,
});

/** @throws Problem 409 naming hosts that lack what the new text needs. */
async function refuseUnmet(tx: Database, kickstart: Kickstart): Promise<void> {
  const hosts = await tx.all<Naming>(NAMING, [kickstart.id]);
  const blockers = hosts.flatMap((host) => {
    const missing = missingFor(kickstart, { ...host, variable_names: JSON.parse(host.variable_names) as string[] });
    const what = [...missing.variables.map((each) => `the variable ${each}`), ...missing.fields].join(', ');
    return what === '' ? [] : [blocker(host, `It lacks ${what}.`, `Give the host ${what} first.`)];
  });
  if (blockers.length === 0) return;
  throw refusal('state_conflict', 'Hosts that have this Kickstart lack what its new text needs.', blockers);
}

async function refuseWhileNamed(tx: Database, { id }: Kickstart, verb: string): Promise<void> {
  const hosts = await tx.all<Naming>(NAMING, [id]);
  if (hosts.length === 0) return;
  const blockers = hosts.map((host) =>
    blocker(host, 'It installs with this Kickstart.', `${verb} the Kickstart after giving the host another one.`),
  );
  throw refusal('still_referenced', 'Hosts install with this Kickstart.', blockers);
}
