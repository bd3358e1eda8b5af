// What the refresh of dependents reads of datastores, and how they follow it.
import { flag, writerOf } from '../../platform/interfaces/refresh/row-texts.ts';
import { ANY_CLIENT, ANY_NETWORK, type DatastoreRow, type Writes } from '../../platform/interfaces/refresh/snapshot.ts';

/** A JSON array for datastoresFrom, as a column of a statement. */
export const DATASTORES = `(SELECT json_group_array(json_object('id', id, 'name', name, 'interface', interface,
      'address_families', json(address_families), 'addresses', json(addresses), 'nfs_version', nfs_version,
      'ipv4_clients', json(ipv4_clients), 'ipv6_clients', json(ipv6_clients), 'enabled', ${flag('enabled')}))
    FROM (SELECT * FROM storage_datastore ORDER BY name)) AS datastores`;

type Stored = Omit<DatastoreRow, 'clients'> & { ipv4_clients: string[]; ipv6_clients: string[] };

export const datastoresFrom = (json: string): DatastoreRow[] =>
  (JSON.parse(json) as Stored[]).map(({ ipv4_clients, ipv6_clients, ...rest }) => ({
    ...rest,
    clients: [...clientsOf(ipv4_clients, ANY_NETWORK.ipv4), ...clientsOf(ipv6_clients, ANY_NETWORK.ipv6)],
  }));

const clientsOf = (clients: readonly string[], all: string): string[] =>
  clients.map((client) => (client === ANY_CLIENT ? all : client));

export const followDatastores = writerOf<
  Writes['datastores'][number]
>(`UPDATE storage_datastore SET interface = change.value ->> 'interface',
    addresses = change.value -> 'addresses', revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE storage_datastore.id = change.value ->> 'id'`);
