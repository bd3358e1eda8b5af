// Creates a datastore.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { createOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = createOperation(namedDatastores, {
  id: 'createStorageDatastore',
  summary: 'Create a datastore',
  description:
    'A datastore is served on exactly one interface, at its addresses of the chosen families; `addresses` is always derived from them and follows when the interface is edited. An enabled one needs an interface that is on, in use, present and has an address of each chosen family; one that is off may name any interface. Its folder is neither inside another datastore’s folder of the volume, nor does it contain one. Without clients of a family, nobody mounts it over that family; `any` allows every client that reaches the address.',
});
