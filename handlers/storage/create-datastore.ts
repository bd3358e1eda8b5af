// Creates a datastore.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { createOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = createOperation(namedDatastores, {
  id: 'createStorageDatastore',
  summary: 'Create a datastore',
  description:
    'A datastore is served on exactly one interface, at its addresses of the chosen families; `addresses` is always derived from them and follows when the interface is edited. An enabled one needs an interface that is on, in use, present and has an address of each chosen family; one that is off may name any interface. Its folder lies neither inside nor around that of another datastore of the volume. Without clients of a family, nobody mounts it over that family; `any` lets in every client that reaches the address.',
});
