// Installer media: ESXi images, unpacked on the appliance, from which hosts install. The content of a medium never
// changes once it is ready.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import { component, described, idSchema, integerSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { LIMITS } from './esxi-media/limits.ts';
import { MEDIUM_STATES, type MediumState, UPLOADED } from './esxi-media/medium-store.ts';
import type { ShippedConfig } from './esxi-media/shipped-config.ts';

export interface BootMedium extends Kept {
  name: string;
  source: string;
  state: MediumState;
  fault: string;
  product: string;
  size_bytes: number;
  file_count: number;
  content_digest: string;
  loaders: { efi?: string | null; bios?: string | null };
  boot_config: ShippedConfig;
}

const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A name is missing.'),
  v.maxLength(64, 'At most 64 characters.'),
  v.regex(/^[\p{L}\p{N} ._()-]+$/u, 'Letters, digits, spaces, dots, underscores, hyphens and parentheses.'),
  v.description('For people; unique.'),
);
const loader = (firmware: string) =>
  v.optional(described(v.nullable(v.string()), `Path of the file that ${firmware} firmware starts.`));

const item = component(
  'BootMedium',
  v.object({
    id: idSchema,
    name: text('For people; unique.'),
    source: described(v.string(), `\`${UPLOADED}\`, or the path below the import folder that it was taken from.`),
    state: described(
      v.picklist(MEDIUM_STATES),
      'receiving: waits for the pieces of its image. unpacking: a job works on it. ready: hosts can install from it. failed: see `fault`.',
    ),
    fault: described(v.string(), 'Why it can’t be used; empty otherwise.'),
    product: described(v.string(), 'Product and version by its boot.cfg.'),
    size_bytes: described(integerSchema, 'While it is received: of the image. When it is ready: of all its files.'),
    file_count: described(integerSchema, 'Files of the medium; 0 while it is not ready.'),
    content_digest: described(v.string(), 'SHA-256 over the paths, sizes and contents of its files, hexadecimal.'),
    loaders: described(
      v.object({ efi: loader('EFI'), bios: loader('BIOS') }),
      'Files that a firmware starts; null: it can’t start this medium.',
    ),
    ...KEPT_MEMBERS,
  }),
);

const choices = {
  enabled: v.optional(enabledMember('saved, but no host can use it.')),
  description: v.optional(descriptionMember),
};

export const bootMedia: Collection<BootMedium> = {
  table: 'network_boot_medium',
  prefix: 'medium',
  noun: 'installer medium',
  tag: 'Network boot',
  resource: 'pxe',
  path: '/api/v1/network-boot/media',
  param: 'medium_id',
  pages: { all: 'boot-media', one: 'boot-medium', home: 'boot-media' },
  action: 'network-boot.medium',
  columns: {
    name: 'text',
    source: 'text',
    state: 'text',
    fault: 'text',
    product: 'text',
    size_bytes: 'integer',
    file_count: 'integer',
    content_digest: 'text',
    loaders: 'json',
    boot_config: 'json',
  },
  order: ['name'],
  lookups: ['name', 'state', 'content_digest', 'enabled'],
  words: { state: MEDIUM_STATES },
  immutable: [],
  defaults: { fault: '', product: '', size_bytes: 0, file_count: 0, content_digest: '', loaders: {}, boot_config: [] },
  // Long, and of no use to people.
  hidden: { boot_config: 'content_digest' },
  schemas: {
    item,
    list: listOf('BootMediumList', item),
    create: component(
      'BootMediumCreate',
      v.strictObject({
        name,
        path: v.optional(
          described(
            v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.path)),
            'An ISO image or a folder with its files, below the folder `import` of the appliance’s data folder. Either this or `size_bytes`.',
          ),
        ),
        size_bytes: v.optional(
          described(
            v.pipe(integerSchema, v.minValue(1), v.maxValue(LIMITS.image)),
            'Bytes of the ISO image that will be uploaded. Either this or `path`.',
          ),
        ),
        ...choices,
      }),
      { name: 'ESX 9.1', path: 'esx-9.1.iso', description: 'As the vendor has it' },
    ),
    update: component('BootMediumUpdate', v.strictObject({ name: v.optional(name), ...choices }), {
      enabled: false,
      description: 'Replaced by a newer build',
    }),
  },
  title: (medium) => medium.name,
  facts: told('source', 'state', 'product', 'content_digest', 'enabled'),
  async settle(tx, next, before) {
    if (before?.enabled && !next.enabled) await refuseWhileNamed(tx, next, 'Take');
    return next;
  },
  async deletable(tx, medium) {
    if (medium.state === 'unpacking') {
      throw new Problem('state_conflict', 'A job unpacks this medium; cancel the job or wait for its end.');
    }
    await refuseWhileNamed(tx, medium, 'Delete');
  },
};

/** Body of a create. */
export interface MediumCreate {
  name: string;
  path?: string;
  size_bytes?: number;
  enabled?: boolean;
  description?: string;
}

/** @throws Problem 422 unless the body has exactly one of `path` and `size_bytes`. */
export function refuseUnclear({
  path,
  size_bytes,
}: {
  path?: string | undefined;
  size_bytes?: number | undefined;
}): void {
  if ((path === undefined) !== (size_bytes === undefined)) return;
  throw invalid({ pointer: '/path', detail: 'Say either `path`, or `size_bytes` of an image that you upload.' });
}

const NAMING = 'SELECT id, hostname FROM network_boot_host WHERE media_id = ? ORDER BY hostname LIMIT 50';

async function refuseWhileNamed(tx: Database, { id }: BootMedium, verb: 'Take' | 'Delete'): Promise<void> {
  const hosts = await tx.all<{ id: string; hostname: string }>(NAMING, [id]);
  if (hosts.length === 0) return;
  const blockers = hosts.map((host) => ({
    subject: `ESXi host ${host.hostname}`,
    reason: 'It installs from this medium.',
    page: pagePath('boot-host', host.id),
    unblock: `${verb} the medium ${verb === 'Take' ? 'out of use' : ''} after giving the host another one.`.replace(
      '  ',
      ' ',
    ),
  }));
  throw new Problem('still_referenced', 'Hosts install from this medium.', { blockers });
}
