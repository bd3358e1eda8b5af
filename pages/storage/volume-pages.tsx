// The pages of storage volumes: fields, facts and words.
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type StorageDatastore, storageDatastores } from '../../shared/services/storage/datastores.ts';
import { type ListedDisk, listDisks } from '../../shared/services/storage/disk-list.ts';
import { NO_RECORD, readRecord } from '../../shared/services/storage/disk-order.ts';
import { type StorageVolume, storageVolumes } from '../../shared/services/storage/volumes.ts';
import { ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { Copyable } from '../components/copyable.tsx';
import type { Field } from '../units/fields.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { FILESYSTEM_LABELS } from './disk-words.tsx';
import { DATASTORES, STORAGE, VOLUMES } from './storage-words.tsx';

interface Extra {
  on: readonly StorageDatastore[];
  /** Of the disk that the volume names; null: it is away, or there is no volume yet. */
  disk: ListedDisk | null;
  /** Whether a format of the disk was begun and not completed. */
  cut: boolean;
  /** Of a new one: the disk that was chosen. */
  device: string;
}

export const VOLUME_PAGES: ItemPages<StorageVolume, Extra> = {
  collection: storageVolumes,
  component: 'StorageVolume',
  noun: 'volume',
  what: 'storage',
  home: STORAGE,
  base: VOLUMES,
  blank: ({ device }) => ({ name: '', device, mount_path: '', enabled: true, description: '' }),
  async load(db, volume, { query }) {
    if (volume === null) return { on: [], disk: null, cut: false, device: query.device ?? '' };
    const { items } = await listItems(db, storageDatastores, { filters: { volume_id: volume.id }, limit: PAGE_MAX });
    const disk = (await listDisks(db)).find(({ ids }) => ids.includes(volume.device)) ?? null;
    const { begun, made } = volume.filesystem_uuid === '' ? NO_RECORD : await readRecord(volume.filesystem_uuid);
    return { on: items, disk, cut: begun && !made, device: '' };
  },
  groups: (_extra, volume) => [
    {
      legend: 'Disk',
      fields: [
        {
          name: 'name',
          label: 'Name',
          kind: 'text',
          mono: true,
          required: true,
          placeholder: 'nvme1',
          help: '1 to 63 lower-case letters, digits and hyphens.',
        },
        ...(volume === null ? [DEVICE] : []),
        {
          name: 'mount_path',
          label: 'Mounted at',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: '/srv/datastores/…',
          help: 'A folder below /srv/datastores. Empty: the name.',
        },
      ],
    },
    commonGroup('volume', 'A disabled volume is kept but not mounted, and datastores on it are not served.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="volume" row={row} />,
  facts: ({ device, mount_path, filesystem, filesystem_uuid, ordered_work }, { on, disk, cut }) => [
    { label: 'Device', value: <Copyable id="device-path" text={device} /> },
    { label: 'Mounted at', value: <Copyable id="mount-point" text={mount_path} /> },
    ...(disk === null ? [] : [{ label: 'Disk', value: `${byteWords(disk.bytes)} ${disk.model}`.trim() }]),
    {
      label: 'Filesystem',
      value:
        filesystem === '' ? (
          <span class="muted">what is on the disk</span>
        ) : (
          <>
            {FILESYSTEM_LABELS[filesystem]} <code class="line">{filesystem_uuid}</code>
          </>
        ),
    },
    ...(cut ? [{ label: 'Formatting', value: 'was cut off: order it again' }] : []),
    ...(ordered_work === '' ? [] : [{ label: 'Ordered', value: ORDERED[ordered_work] }]),
    { label: 'Datastores', value: <Datastores on={on} /> },
  ],
  beside: (volume, { disk, cut }, { user }) =>
    user.scopes.includes('write:storage') && (
      <>
        <DiskWork volume={volume} disk={disk} cut={cut} />
        <ButtonLink icon="plus" href={`${DATASTORES}/new?volume_id=${encodeURIComponent(volume.id)}`}>
          Add datastore on it
        </ButtonLink>
      </>
    ),
  deleting: ({ name }) => `The volume is removed from the settings. The data on ${name} stays on the disk.`,
  needed: (_volume, { on }) => (on.length === 0 ? undefined : 'It can’t be deleted while datastores are kept on it.'),
};

const ORDERED = {
  format: 'to be formatted by the next apply',
  grow: 'to grow to its disk by the next apply',
} as const;

/** What can be done with the disk as it is now. */
function DiskWork({ volume, disk, cut }: Pick<Extra, 'disk' | 'cut'> & { volume: StorageVolume }) {
  const { id, filesystem, filesystem_bytes } = volume;
  if (disk === null) return null;
  if (disk.fit === 'blank' || cut)
    return <ButtonLink href={`${itemHref(VOLUMES, id)}/format`}>Format its disk…</ButtonLink>;
  if (filesystem === '' || disk.bytes <= filesystem_bytes) return null;
  return <ButtonLink href={`${itemHref(VOLUMES, id)}/grow`}>Grow to its disk…</ButtonLink>;
}

const DEVICE: Field = {
  name: 'device',
  label: 'Device',
  kind: 'text',
  mono: true,
  wide: true,
  required: true,
  placeholder: '/dev/disk/by-id/…',
  help: 'The stable name of a whole disk, below /dev/disk/by-id: no partition, and none that the appliance itself uses. It can’t be changed later.',
};

function Datastores({ on }: { on: readonly StorageDatastore[] }) {
  if (on.length === 0) return <span class="muted">none</span>;
  return (
    <>
      {on.map(({ id, name }) => (
        <a key={id} class="line" href={itemHref(DATASTORES, id)}>
          {name}
        </a>
      ))}
    </>
  );
}
