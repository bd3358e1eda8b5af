// The form that creates a datastore.
import { createForm } from '../../shared/units/collection-operations.ts';
import { storageDatastores } from '../../shared/units/storage/datastores.ts';
import { operation as createStorageDatastore } from './create-datastore.ts';

export const operation = createForm(storageDatastores, createStorageDatastore, {
  path: '/ui/management/storage/datastores/new',
  decode: (fields) => ({
    name: fields.text('name'),
    volume_id: fields.text('volume_id'),
    path: fields.optional('path'),
    nfs_version: fields.optional('nfs_version'),
    interface: fields.text('interface'),
    address_families: fields.all('address_families'),
    ipv4_clients: fields.list('ipv4_clients'),
    ipv6_clients: fields.list('ipv6_clients'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  }),
  done: () => ({ location: '/ui/management/storage' }),
});
