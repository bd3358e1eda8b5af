// Storage for ESX hosts: its datastores, and the volumes that they are kept on.
import * as v from 'valibot';
import { type StorageStatus, storageStatus } from '../../shared/appliance/overview/storage-status.ts';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import type { SavedSettings } from '../../shared/platform/units/settings.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { type StorageDatastore, storageDatastores } from '../../shared/services/storage/datastores.ts';
import { storageSettings } from '../../shared/services/storage/settings.ts';
import type { StorageUsage } from '../../shared/services/storage/usage.ts';
import { type StorageVolume, storageVolumes } from '../../shared/services/storage/volumes.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import { DataTable } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { Codes, List } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { ServiceState } from '../units/service-state.tsx';
import { DATASTORES, DISKS, STORAGE, VOLUMES } from './storage-words.tsx';
import { HostsNote, HostsTable, Used } from './usage-words.tsx';

interface Data {
  readiness: Readiness;
  settings: SavedSettings<(typeof storageSettings)['defaults']>;
  datastores: Listed<StorageDatastore>;
  volumes: StorageVolume[];
  status: StorageStatus;
}

export const page = definePage({
  id: 'storagePage',
  path: STORAGE.href,
  access: { session: 'read:storage' },
  query: v.object(LIST_QUERY),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    const [{ saved }, datastores, { items: volumes }] = await Promise.all([
      readSettings(db, storageSettings),
      readListed(db, { collection: storageDatastores, of: 'datastore', standings, query, outcome }),
      listItems(db, storageVolumes, { limit: PAGE_MAX }),
    ]);
    const readiness = await readinessOf(services, 'storage', standings);
    const status = await storageStatus(services);
    return { readiness, settings: saved, datastores, volumes, status };
  },
  title: () => 'Storage',
  view: Storage,
});

function Storage({ data: { readiness, settings, datastores, volumes, status }, state, outcome }: ViewProps<Data>) {
  const { enabled, hostname } = settings;
  const writes = state.user.scopes.includes('write:storage');
  return (
    <>
      <PageHead title="Storage" intro="NFS datastores that ESX hosts of the lab share, on disks of this appliance.">
        <ButtonLink href={DISKS}>Disks</ButtonLink>
        {writes && <ButtonLink href={pagePath('mount-datastores')}>Mount on hosts</ButtonLink>}
        <ButtonLink href={`${STORAGE.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={datastores.items.length > 0 || datastores.at !== ''} state={state} />
      <Facts
        facts={[
          { label: 'State', value: <ServiceState standings={state.standings} unit="storage" enabled={enabled} /> },
          { label: 'Host name', value: <Codes items={hostname === '' ? [] : [hostname]} none="none: by address" /> },
          {
            label: 'Datastores',
            value: `${datastores.items.length}${datastores.next === null ? '' : ' on this page'}`,
          },
          { label: 'Volumes', value: volumes.length },
        ]}
      />
      <ReadinessList of={readiness} state={state} />
      <Datastores
        datastores={datastores}
        volumes={volumes}
        writes={writes}
        state={state}
        outcome={outcome}
        usage={status}
      />
      <Volumes volumes={volumes} writes={writes} state={state} usage={status} />
      {status.datastores.length > 0 && (
        <List title="Hosts">
          <HostsTable hosts={status.hosts} all />
          <HostsNote tells_clients={status.tells_clients} />
        </List>
      )}
    </>
  );
}

interface DatastoresProps {
  datastores: Listed<StorageDatastore>;
  volumes: readonly StorageVolume[];
  writes: boolean;
  state: ShellState;
  outcome: FormOutcome | null;
  usage: StorageUsage;
}

function Datastores({ datastores, volumes, writes, state, outcome, usage }: DatastoresProps) {
  const add = writes && volumes.length > 0 && (
    <ButtonLink kind="primary" icon="plus" href={`${DATASTORES}/new`}>
      Add datastore
    </ButtonLink>
  );
  const names = new Map(volumes.map(({ id, name }) => [id, name]));
  return (
    <List title="Datastores" action={hasRows(datastores) && add}>
      <CollectionList
        collection={storageDatastores}
        of="datastore"
        listed={datastores}
        outcome={outcome}
        state={state}
        href={STORAGE.href}
        itemHref={({ id }) => itemHref(DATASTORES, id)}
        caption="Datastores by name"
        columns={[
          {
            key: 'name',
            label: 'Datastore',
            look: 'nowrap',
            cell: ({ id, name }) => <a href={itemHref(DATASTORES, id)}>{name}</a>,
          },
          { key: 'interface', label: 'Interface', look: 'code', cell: (row) => row.interface },
          { key: 'addresses', label: 'Addresses', look: 'code', cell: ({ addresses }) => <Codes items={addresses} /> },
          { key: 'nfs_version', label: 'NFS', cell: ({ nfs_version }) => nfs_version },
          {
            key: 'used',
            label: 'Used',
            look: 'nowrap',
            cell: ({ name }) => <Used of={usage.datastores.find((each) => each.name === name)} />,
          },
          {
            key: 'where',
            label: 'Kept at',
            look: 'code',
            cell: ({ volume_id, path }) => (
              <>
                <a href={itemHref(VOLUMES, volume_id)}>{names.get(volume_id) ?? volume_id}</a>/{path}
              </>
            ),
          },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (row) => <RowWord standings={state.standings} of="datastore" row={row} />,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
        ]}
        empty={
          <Empty action={add}>
            There is no datastore yet.{volumes.length === 0 && ' Each is kept on a volume: add the disk first.'}
          </Empty>
        }
      />
    </List>
  );
}

function Volumes({ volumes, writes, state, usage }: Omit<DatastoresProps, 'datastores' | 'outcome'>) {
  const first = volumes.length === 0;
  const add = writes && (
    <ButtonLink kind={first ? 'primary' : 'plain'} icon="plus" href={`${VOLUMES}/new`}>
      Add volume
    </ButtonLink>
  );
  return (
    <List title="Volumes" action={!first && add}>
      <DataTable
        caption="Volumes by name"
        columns={[
          {
            key: 'name',
            label: 'Volume',
            look: 'code',
            cell: ({ id, name }) => <a href={itemHref(VOLUMES, id)}>{name}</a>,
          },
          { key: 'device', label: 'Device', look: 'code', cell: ({ device }) => device },
          { key: 'mount', label: 'Mounted at', look: 'code', cell: ({ mount_path }) => mount_path },
          {
            key: 'used',
            label: 'Used',
            look: 'nowrap',
            cell: ({ name }) => <Used of={usage.volumes.find((each) => each.name === name)} />,
          },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (row) => <RowWord standings={state.standings} of="volume" row={row} />,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
        ]}
        rows={volumes}
        rowKey={({ id }) => id}
        actions={({ id, name }) => (
          <ButtonLink kind="row" href={itemHref(VOLUMES, id)} label={`${writes ? 'Edit' : 'Open'} ${name}`}>
            {writes ? 'Edit' : 'Open'}
          </ButtonLink>
        )}
        empty={<Empty action={add}>There is no volume yet. A volume is a disk of this appliance.</Empty>}
      />
    </List>
  );
}
