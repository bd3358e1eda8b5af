// Storage volumes: disks of the appliance that datastores are kept on.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, invalid, Problem } from '../../ground/problems.ts';
import { component, described, idSchema, integerSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { FILESYSTEMS, type FilesystemKind } from './disk-fitness.ts';
import { isWholeDisk } from './disk-names.ts';
import { WORKS, type Work } from './disk-order.ts';
import { isPath, MOUNTS, nested } from './paths.ts';

export interface StorageVolume extends Kept {
  name: string;
  device: string;
  mount_path: string;
  /** What was on its disk when it was added, or what the appliance makes there; '': whatever is there. */
  filesystem: '' | FilesystemKind;
  filesystem_uuid: string;
  /** Of the disk that it fills; 0 where that is not known. */
  filesystem_bytes: number;
  /** Of the disk when work on it was ordered last. */
  disk_fingerprint: string;
  /** Work on the disk that the next plan does. */
  ordered_work: '' | Work;
}

const name = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9-]{1,63}$/, 'Use 1 to 63 lower-case letters, digits and hyphens.'),
  v.description('1 to 63 lower-case letters, digits and hyphens. Unique.'),
);
const device = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.regex(/^\/dev\/disk\/by-id\/[A-Za-z0-9_:+=@-][A-Za-z0-9._:+=@-]*$/, 'Must be a name below /dev/disk/by-id/.'),
  v.check(isWholeDisk, 'Must be a whole disk: no partition (-part1), and no name that begins with dm-, lvm- or md-.'),
  v.description(
    'Stable name of a whole disk that the appliance itself does not use, such as /dev/disk/by-id/scsi-36000c29e5f1b8a7c0d4e2f3a1b5c6d7e. Unique; fixed once saved.',
  ),
);
const mountPath = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description(`Where it is mounted, below ${MOUNTS}. Empty or left out: ${MOUNTS} and the name.`),
);

const item = component(
  'StorageVolume',
  v.object({
    id: idSchema,
    name: text('Unique name.'),
    device: text('Stable name of the disk, below /dev/disk/by-id/.'),
    mount_path: text('Where it is mounted.'),
    filesystem: described(
      v.picklist(['', ...FILESYSTEMS]),
      'The filesystem on the disk: what was there when the volume was added, or what the appliance makes there once that is ordered. Empty: whatever is there is mounted.',
    ),
    filesystem_uuid: text(
      'UUID of that filesystem: a disk that carries another one is not mounted. Empty where there is none.',
    ),
    filesystem_bytes: described(
      integerSchema,
      'How much of its disk the filesystem takes, in bytes: all of it where the appliance made or grew it; 0 where that is not known, or there is none.',
    ),
    ordered_work: described(
      v.picklist(['', ...WORKS]),
      'Work on the disk that was ordered and belongs to the plan that is submitted next; empty: none.',
    ),
    ...KEPT_MEMBERS,
  }),
);
const choices = {
  mount_path: v.optional(mountPath),
  enabled: v.optional(enabledMember('kept, but not mounted; datastores on it are not served.')),
  description: v.optional(descriptionMember),
};

export const storageVolumes: Collection<StorageVolume> = {
  table: 'storage_volume',
  prefix: 'vol',
  noun: 'storage volume',
  tag: 'Storage',
  resource: 'storage',
  path: '/api/v1/storage/volumes',
  param: 'volume_id',
  pages: { all: 'storage-volumes', one: 'storage-volume', home: 'storage' },
  action: 'storage.volume',
  columns: {
    name: 'text',
    device: 'text',
    mount_path: 'text',
    filesystem: 'text',
    filesystem_uuid: 'text',
    filesystem_bytes: 'integer',
    disk_fingerprint: 'text',
    ordered_work: 'text',
  },
  // It tells nobody anything.
  hidden: { disk_fingerprint: 'filesystem' },
  order: ['name'],
  lookups: ['name', 'device', 'enabled'],
  immutable: ['device'],
  defaults: {
    ...{ mount_path: '', filesystem: '', filesystem_uuid: '', filesystem_bytes: 0 },
    ...{ disk_fingerprint: '', ordered_work: '' },
  },
  schemas: {
    item,
    list: listOf('StorageVolumeList', item),
    create: component('StorageVolumeCreate', v.strictObject({ name, device, ...choices }), {
      name: 'nvme0',
      device: '/dev/disk/by-id/nvme-eui.0000000000000001',
      mount_path: '/srv/datastores/nvme0',
    }),
    update: component(
      'StorageVolumeUpdate',
      v.strictObject({ name: v.optional(name), device: v.optional(device), ...choices }),
      { description: 'First disk of the second controller' },
    ),
  },
  title: (volume) => volume.name,
  facts: told('device', 'mount_path', 'enabled'),
  async settle(tx, next, before) {
    const mount_path = next.mount_path.trim().replace(/\/$/, '') || `${MOUNTS}${next.name}`;
    const below = mount_path.startsWith(MOUNTS) && isPath(mount_path.slice(MOUNTS.length));
    const detail = `Must lie below ${MOUNTS}; its parts are letters, digits, dots, underscores and hyphens.`;
    if (!below) throw invalid({ pointer: '/mount_path', detail });
    const volume = { ...next, mount_path };
    if (mount_path !== before?.mount_path) await refuseNested(tx, volume);
    return volume;
  },
  async deletable(tx, volume) {
    const blockers = await datastoresOn(tx, volume);
    if (blockers.length === 0) return;
    const detail = `${blockers.length === 1 ? 'A datastore stands' : 'Datastores stand'} on the volume ${volume.name}.`;
    throw new Problem('still_referenced', detail, { blockers });
  },
};

const OTHERS = 'SELECT name, mount_path FROM storage_volume WHERE id <> ?';

/** @throws Problem 409 for a mount path that is that of another volume, or lies inside or around it. */
async function refuseNested(tx: Database, { id, mount_path }: StorageVolume): Promise<void> {
  const others = await tx.all<Pick<StorageVolume, 'name' | 'mount_path'>>(OTHERS, [id]);
  const other = others.find((each) => nested(each.mount_path, mount_path));
  if (!other) return;
  const detail = `The volume ${other.name} is mounted at ${other.mount_path}; one must not lie inside the other.`;
  throw new Problem('state_conflict', detail, { errors: [{ pointer: '/mount_path', detail }] });
}

const ON_IT = 'SELECT id, name FROM storage_datastore WHERE volume_id = ? ORDER BY name';

async function datastoresOn(tx: Database, { id, name }: StorageVolume): Promise<Blocker[]> {
  const rows = await tx.all<{ id: string; name: string }>(ON_IT, [id]);
  return rows.map((row) => ({
    subject: `Datastore ${row.name}`,
    reason: `It is kept on the volume ${name}.`,
    page: pagePath('datastore', row.id),
    unblock: 'Delete the datastore, or move it to another volume.',
  }));
}
