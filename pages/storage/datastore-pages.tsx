// The pages of datastores: fields, facts and words.
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { ANY_CLIENT } from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type Listenable, readSettings } from '../../shared/platform/units/settings-store.ts';
import { NFS_VERSIONS, type StorageDatastore, storageDatastores } from '../../shared/services/storage/datastores.ts';
import { storageSettings } from '../../shared/services/storage/settings.ts';
import { type StorageVolume, storageVolumes } from '../../shared/services/storage/volumes.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Empty } from '../components/empty.tsx';
import type { Field } from '../units/fields.tsx';
import { interfaceOptions } from '../units/fields.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { Addresses } from '../units/reached-at.tsx';
import { RowWord } from '../units/row-words.tsx';
import { DATASTORES, FAMILY_LABELS, STORAGE, VOLUMES } from './storage-words.tsx';

interface Around {
  /** Chosen for a new one: the page of a volume leads here. */
  volume_id: string;
  volumes: StorageVolume[];
  interfaces: Listenable[];
}

const clients = (name: string, family: string) =>
  ({
    name,
    label: `${family} clients`,
    kind: 'list',
    rows: 2,
    placeholder: 'nobody',
    help: `${family} networks or single addresses that may mount it, one a line, 64 at most. Empty: nobody. ${ANY_CLIENT}: every client that reaches the address.`,
  }) as const;

const FOLDER: Field = {
  name: 'path',
  label: 'Folder',
  kind: 'text',
  mono: true,
  wide: true,
  placeholder: 'as the name',
  help: 'Below the mount path of the volume. One datastore cannot be inside another.',
};

export const DATASTORE_PAGES: ItemPages<StorageDatastore, Around> = {
  collection: storageDatastores,
  component: 'StorageDatastore',
  noun: 'datastore',
  what: 'storage',
  home: STORAGE,
  base: DATASTORES,
  blank: ({ volume_id }) => ({
    name: '',
    volume_id,
    path: '',
    nfs_version: '4.1',
    interface: '',
    address_families: ['ipv4'],
    ipv4_clients: [],
    ipv6_clients: [],
    enabled: true,
    description: '',
  }),
  async load(db, _datastore, { query }) {
    const [{ items }, { interfaces }] = await Promise.all([
      listItems(db, storageVolumes, { limit: PAGE_MAX }),
      readSettings(db, storageSettings),
    ]);
    return { volumes: items, interfaces, volume_id: query.volume_id ?? '' };
  },
  missing: ({ volumes }) =>
    volumes.length > 0 ? null : (
      <Empty
        action={
          <ButtonLink kind="primary" icon="plus" href={`${VOLUMES}/new`}>
            Add volume
          </ButtonLink>
        }
      >
        There is no volume yet, and every datastore is kept on one. Add the disk first.
      </Empty>
    ),
  groups: ({ volumes, interfaces }, datastore) => [
    {
      legend: 'Where it is kept',
      fields: [
        {
          name: 'name',
          label: 'Name',
          kind: 'text',
          mono: true,
          required: true,
          maxlength: 42,
          placeholder: 'lab-nfs-01',
          help: 'As vSphere shows it: up to 42 characters, no slash, backslash or percent sign.',
        },
        {
          name: 'volume_id',
          label: 'Volume',
          kind: 'choice',
          options: volumes.map(({ id, name, mount_path }) => ({ value: id, label: `${name}: ${mount_path}` })),
        },
        FOLDER,
      ],
    },
    {
      legend: 'Where it is served',
      fields: [
        {
          name: 'interface',
          label: 'Interface',
          kind: 'choice',
          options: interfaceOptions(interfaces, datastore?.interface ?? ''),
          help: 'Exactly one; its addresses follow when the interface is edited.',
        },
        {
          name: 'address_families',
          label: 'Families',
          kind: 'several',
          options: (['ipv4', 'ipv6'] as const).map((value) => ({ value, label: FAMILY_LABELS[value] })),
        },
        {
          name: 'nfs_version',
          label: 'NFS',
          kind: 'radio',
          options: NFS_VERSIONS.map((value) => ({ value, label: `Version ${value}` })),
        },
      ],
    },
    {
      legend: 'Who may mount it',
      fields: [clients('ipv4_clients', FAMILY_LABELS.ipv4), clients('ipv6_clients', FAMILY_LABELS.ipv6)],
    },
    commonGroup('datastore', 'A disabled datastore is kept but not served.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="datastore" row={row} />,
  facts(datastore, { volumes }) {
    const volume = volumes.find(({ id }) => id === datastore.volume_id);
    return [
      { label: 'Mount addresses', value: <Addresses addresses={datastore.addresses} /> },
      {
        label: 'Folder',
        value: <Copyable id="folder" text={`${volume?.mount_path ?? ''}/${datastore.path}`} />,
      },
      {
        label: 'Volume',
        value: volume ? <a href={itemHref(VOLUMES, volume.id)}>{volume.name}</a> : datastore.volume_id,
      },
    ];
  },
  deleting: () =>
    'ESX hosts would lose it at the first apply that covers storage. The files in its folder stay on the volume.',
};
