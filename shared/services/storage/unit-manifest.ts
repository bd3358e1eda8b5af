// What the appliance knows of the unit "Storage".
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'storage',
  order: 100,
  name: 'Storage',
  resources: { storage: 'service-admin' },
  group: 'Storage',
  tags: {
    Storage: 'NFS datastores for ESX hosts.',
  },
  pages: [{ page: 'storage', label: 'Storage', resource: 'storage' }],
  enforces: ['storage'],
  listeners: [],
  comes_back: 'rows',
  tables: [
    {
      name: 'storage_volume',
      kept: {
        label: 'Storage volumes',
        columns: 'name device mount_path',
        unique: 'name device mount_path',
        // What stands on a disk does not go back with a plan.
        apart: 'filesystem filesystem_uuid filesystem_bytes disk_fingerprint ordered_work ordered_plan',
      },
      found: {
        kind: 'volume',
        label: 'Storage volumes',
        resource: 'storage',
        page: 'storage-volume',
        columns: ['name', 'device', 'mount_path'],
        fact: 'mount_path',
      },
      archive: {
        as: 'desired',
        label: 'Storage volumes',
        columns:
          'name device mount_path filesystem filesystem_uuid filesystem_bytes disk_fingerprint description enabled',
        key: 'name',
        unique: 'name device mount_path',
        booleans: 'enabled',
        // An order belongs to one plan of this appliance.
        left: 'ordered_work ordered_plan',
      },
    },
    {
      name: 'storage_datastore',
      kept: {
        label: 'Datastores',
        columns:
          'name volume_id path nfs_version size_limit_gib interface address_families addresses ipv4_clients ipv6_clients',
        unique: 'name',
      },
      found: {
        kind: 'datastore',
        label: 'Datastores',
        resource: 'storage',
        page: 'datastore',
        columns: ['name'],
        fact: 'interface',
      },
      archive: {
        as: 'desired',
        label: 'Datastores',
        columns:
          'name volume_id path nfs_version size_limit_gib interface address_families ipv4_clients ipv6_clients description enabled',
        key: 'name',
        unique: 'name',
        booleans: 'enabled',
        json: 'address_families ipv4_clients ipv6_clients',
        refers: { volume_id: 'storage_volume' },
        interfaces: 'interface',
        left: 'addresses',
      },
    },
  ],
};
