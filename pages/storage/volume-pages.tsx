// The pages of storage volumes: fields, facts and words.
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type StorageDatastore, storageDatastores } from '../../shared/services/storage/datastores.ts';
import { type StorageVolume, storageVolumes } from '../../shared/services/storage/volumes.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import type { Field } from '../units/fields.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { DATASTORES, STORAGE, VOLUMES } from './storage-words.tsx';

export const VOLUME_PAGES: ItemPages<StorageVolume, StorageDatastore[]> = {
  collection: storageVolumes,
  component: 'StorageVolume',
  noun: 'volume',
  what: 'storage',
  home: STORAGE,
  base: VOLUMES,
  blank: { name: '', device: '', mount_path: '', enabled: true, description: '' },
  async load(db, volume) {
    if (volume === null) return [];
    const { items } = await listItems(db, storageDatastores, { filters: { volume_id: volume.id }, limit: PAGE_MAX });
    return items;
  },
  groups: (_on, volume) => [
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
  facts: ({ device, mount_path }, on) => [
    { label: 'Device', value: <Copyable id="device-path" text={device} /> },
    { label: 'Mounted at', value: <Copyable id="mount-point" text={mount_path} /> },
    { label: 'Datastores', value: <Datastores on={on} /> },
  ],
  beside: ({ id }, _on, { user }) =>
    user.scopes.includes('write:storage') && (
      <ButtonLink icon="plus" href={`${DATASTORES}/new?volume_id=${encodeURIComponent(id)}`}>
        Add datastore on it
      </ButtonLink>
    ),
  deleting: ({ name }) => `The volume is removed from the settings. The data on ${name} stays on the disk.`,
  needed: (_volume, on) => (on.length === 0 ? undefined : 'It can’t be deleted while datastores are kept on it.'),
};

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
