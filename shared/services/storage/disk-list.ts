// The disks of the machine for people and programs: what each of them is, and whether it can take a volume.
import * as v from 'valibot';
import { component, described, integerSchema, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { fitnessOf } from './disk-fitness.ts';
import { SEEN, type Seen } from './disks.ts';
import { type Disk, disksOf } from './inventory.ts';

const content = component(
  'StorageDiskContent',
  v.object({
    type: text('Filesystem, partition table or member of something larger: `xfs`, `gpt`, `LVM2_member`.'),
    uuid: text('Its UUID; empty where it has none.'),
  }),
);

const disk = component(
  'StorageDisk',
  v.object({
    name: text('The kernel’s name, which another disk may have after the next start.'),
    ids: described(v.array(v.string()), 'Stable names of the whole disk; the first one is the one to use.'),
    bytes: described(integerSchema, 'Its size.'),
    model: text('As the disk tells; may be empty.'),
    serial: text('As the disk tells; may be empty.'),
    wwn: text('World wide name; may be empty.'),
    read_only: described(v.boolean(), 'Whether nothing can be written to it.'),
    contents: described(v.array(content), 'Signatures on the disk itself, as udev saw them last.'),
    partitions: described(
      v.array(
        component(
          'StorageDiskPartition',
          v.object({
            name: text('The kernel’s name.'),
            bytes: described(integerSchema, 'Its size.'),
            content: described(v.nullable(content), 'What stands on it; null: nothing that is known.'),
          }),
        ),
      ),
      'Its partitions.',
    ),
    mounts: described(v.array(v.string()), 'Where it, a part of it or what is built on it is mounted.'),
    swap: described(v.boolean(), 'Whether it or a part of it is swap space.'),
    holders: described(v.array(v.string()), 'What is built on it: `dm-0`, `md0`.'),
    volume: described(
      v.nullable(component('StorageDiskVolume', v.object({ id: text('Id of the volume.'), name: text('Its name.') }))),
      'The saved volume that names it; null: none does.',
    ),
    fit: described(
      v.picklist(['blank', 'filesystem', 'no']),
      '`blank`: it can take a volume, once it is formatted; `filesystem`: it can take a volume as it is; `no`: it can’t.',
    ),
    obstacle: described(v.nullable(v.string()), 'Why it can’t take a volume, in a clause; null: it can.'),
  }),
);

export const disksSchema = component(
  'StorageDisks',
  v.object({ disks: described(v.array(disk), 'By the kernel’s names.') }),
);

export type ListedDisk = Omit<Disk, 'number'> & {
  volume: { id: string; name: string } | null;
  fit: 'blank' | 'filesystem' | 'no';
  obstacle: string | null;
};

const VOLUMES = 'SELECT id, name, device FROM storage_volume ORDER BY name';

/** One statement. The machine is only looked at, whatever driver there is. */
export async function listDisks(db: Database, seen: Seen = SEEN): Promise<ListedDisk[]> {
  const volumes = await db.all<{ id: string; name: string; device: string }>(VOLUMES);
  return (await disksOf(seen)).map((found) => {
    const { number: _, ...rest } = found;
    const { fit, why } = fitnessOf(found);
    const named = volumes.find(({ device }) => found.ids.includes(device));
    return { ...rest, volume: named ? { id: named.id, name: named.name } : null, fit, obstacle: why };
  });
}
