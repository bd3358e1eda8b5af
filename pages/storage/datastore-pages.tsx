// The pages of datastores: fields, facts and words.
import { type Growth, readGrowth } from '../../shared/appliance/metrics/growth.ts';
import { keptMountNames } from '../../shared/appliance/overview/mount-names.ts';
import { type StorageStatus, storageStatus } from '../../shared/appliance/overview/storage-status.ts';
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { ANY_CLIENT } from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type Listenable, readSettings } from '../../shared/platform/units/settings-store.ts';
import { NFS_VERSIONS, type StorageDatastore, storageDatastores } from '../../shared/services/storage/datastores.ts';
import { esxcli, powerCli, serversOf } from '../../shared/services/storage/mount-commands.ts';
import { storageSettings } from '../../shared/services/storage/settings.ts';
import { type StorageVolume, storageVolumes } from '../../shared/services/storage/volumes.ts';
import { ButtonLink } from '../components/button.tsx';
import { Chart } from '../components/chart.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import type { Field } from '../units/fields.tsx';
import { interfaceOptions } from '../units/fields.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { List } from '../units/listing.tsx';
import { Addresses } from '../units/reached-at.tsx';
import { RowWord } from '../units/row-words.tsx';
import { DATASTORES, FAMILY_LABELS, STORAGE, VOLUMES } from './storage-words.tsx';
import { Free, HostsNote, HostsTable, Used } from './usage-words.tsx';

interface Around {
  /** Chosen for a new one: the page of a volume leads here. */
  volume_id: string;
  volumes: StorageVolume[];
  interfaces: Listenable[];
  /** Null for a new one. */
  now: { status: StorageStatus; growth: Growth; hostname: string; kept: ReadonlySet<string> } | null;
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

const LIMIT: Field = {
  name: 'size_limit_gib',
  label: 'Size limit in GiB',
  kind: 'number',
  help: '0: as much as the volume has. Hosts see the limit as capacity, and nobody writes beyond it. Its volume has to carry XFS: on ext4 a limit does not bind root, as whom ESX writes, so there is none.',
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
    size_limit_gib: 0,
    interface: '',
    address_families: ['ipv4'],
    ipv4_clients: [],
    ipv6_clients: [],
    enabled: true,
    description: '',
  }),
  async load(db, datastore, { query }, services) {
    const [{ items }, { interfaces, saved }] = await Promise.all([
      listItems(db, storageVolumes, { limit: PAGE_MAX }),
      readSettings(db, storageSettings),
    ]);
    const { hostname } = saved;
    const now = datastore && {
      ...(await lookAt(services, datastore, items)),
      ...{ hostname, kept: await keptMountNames(db, hostname) },
    };
    return { volumes: items, interfaces, volume_id: query.volume_id ?? '', now };
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
        LIMIT,
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
  below: (datastore, { now, volumes }) => now && <Now datastore={datastore} now={now} volumes={volumes} />,
  facts(datastore, { volumes, now }) {
    const volume = volumes.find(({ id }) => id === datastore.volume_id);
    const usage = now?.status.datastores.find(({ name }) => name === datastore.name);
    return [
      { label: usage?.limited === false ? 'Used of its volume' : 'Used', value: <Used of={usage} /> },
      { label: 'Free', value: <Free of={usage} /> },
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

/** One without a limit grows with its volume. */
async function lookAt(services: Services, datastore: StorageDatastore, volumes: readonly StorageVolume[]) {
  const status = await storageStatus(services);
  const volume = volumes.find(({ id }) => id === datastore.volume_id)?.name ?? '';
  const grows =
    datastore.size_limit_gib > 0
      ? ({ kind: 'datastore', name: datastore.name } as const)
      : ({ kind: 'volume', name: volume } as const);
  return { status, growth: await readGrowth(services, grows) };
}

const GIB = 1_073_741_824;
const DAY = 86_400;

interface NowProps extends Pick<Around, 'volumes'> {
  datastore: StorageDatastore;
  now: NonNullable<Around['now']>;
}

function Now({ datastore, volumes, now: { status, growth, hostname, kept } }: NowProps) {
  const hosts = status.hosts.filter(({ datastores }) => datastores.includes(datastore.name));
  const points = growth.points.map(({ at, value }) => ({ at, value: value / GIB }));
  return (
    <>
      <List title="Hosts">
        <HostsTable hosts={hosts} all={false} />
        <HostsNote tells_clients={status.tells_clients} />
      </List>
      <Commands datastore={datastore} volumes={volumes} hostname={hostname} kept={kept} />
      <List title="Growth">
        <div class="charts">
          <Chart
            label={datastore.size_limit_gib > 0 ? 'Used in 30 days' : 'Used of its volume in 30 days'}
            unit="GiB"
            digits={1}
            points={points}
            range={growth}
            row={DAY}
          />
        </div>
      </List>
    </>
  );
}

/** By a name of one family, the name, or the first address: every host has to use the same text. */
function Commands({
  datastore,
  volumes,
  hostname,
  kept,
}: Omit<NowProps, 'now'> & { hostname: string; kept: ReadonlySet<string> }) {
  const { name, nfs_version, addresses, volume_id, path } = datastore;
  const [server] = serversOf(hostname, addresses, kept);
  const mount_path = volumes.find(({ id }) => id === volume_id)?.mount_path;
  if (server === undefined || mount_path === undefined) return null;
  const mountable = { name, nfs_version, server, folder: `${mount_path}/${path}` };
  const [host, power] = [esxcli(mountable), powerCli(mountable)];
  return (
    <List title="Mount it by hand">
      <FactsList
        facts={(['mount', 'unmount'] as const).map((verb) => ({
          label: verb === 'mount' ? 'Mount' : 'Unmount',
          value: (
            <>
              <div>
                <Copyable id={`esxcli-${verb}`} text={host[verb]} />
              </div>
              <div>
                <Copyable id={`powercli-${verb}`} text={power[verb]} />
              </div>
            </>
          ),
        }))}
      />
      <p class="muted">The first of each is for the shell of an ESX host, the second for PowerCLI on all hosts.</p>
    </List>
  );
}
