// Posted fields of the forms of datastores → members of request bodies.
import type { FormFields } from '../../kernel/operation/operation.ts';

export const datastoreFields = (fields: FormFields) => ({
  name: fields.text('name'),
  volume_id: fields.text('volume_id'),
  path: fields.optional('path'),
  nfs_version: fields.optional('nfs_version'),
  interface: fields.text('interface'),
  address_families: fields.all('address_families'),
  size_limit_gib: fields.integer('size_limit_gib'),
  ipv4_clients: fields.list('ipv4_clients'),
  ipv6_clients: fields.list('ipv6_clients'),
  enabled: fields.checked('enabled'),
  description: fields.text('description'),
});
