// Storage volumes and the datastores on them.
import type { Scenarios, Scene } from './scenario.ts';

const VOLUMES = '/api/v1/storage/volumes';
const DATASTORES = '/api/v1/storage/datastores';

async function disk(scene: Scene) {
  const n = scene.next();
  return { name: `disk-${n}`, device: `/dev/disk/by-id/scsi-36000c29${n}` };
}

async function volume(scene: Scene) {
  const { body } = await scene.api('POST', VOLUMES, await disk(scene));
  return { volume_id: body.id as string, name: body.name as string, revision: String(body.revision) };
}

async function formatted(scene: Scene) {
  const { volume_id, name } = await volume(scene);
  const { body } = await scene.api('POST', `${VOLUMES}/${volume_id}/format`, { confirm: name });
  return { volume_id, name, revision: String(body.revision) };
}

async function datastore(scene: Scene) {
  const { volume_id } = await volume(scene);
  const name = `nfs-${scene.next()}`;
  const { body } = await scene.api('POST', DATASTORES, { ...serving, name, volume_id });
  return { datastore_id: body.id as string, volume_id, name, revision: String(body.revision) };
}

const serving = { interface: 'ens192', address_families: ['ipv4'] };
const datastoreForm = { ...serving, path: '', nfs_version: '4.1', ipv4_clients: '10.10.0.0/24', enabled: 'on' };

export const STORAGE: Scenarios = {
  getStorageStatus: {},
  createStorageVolume: {
    given: disk,
    audit: ['storage.volume.create'],
  },
  createStorageVolumeForm: {
    given: disk,
    send: ({ name, device }) => ({ form: { name: name!, device: device!, mount_path: '', enabled: 'on' } }),
    audit: ['storage.volume.create'],
  },
  getStorageVolume: { given: volume },
  updateStorageVolume: {
    given: volume,
    audit: ['storage.volume.update'],
  },
  updateStorageVolumeForm: {
    given: volume,
    send: ({ name, revision }) => ({
      form: { name: name!, mount_path: '', description: 'Lab', enabled: 'on', revision: revision! },
    }),
    audit: ['storage.volume.update'],
  },
  deleteStorageVolume: { given: volume, audit: ['storage.volume.delete'] },
  deleteStorageVolumeForm: {
    given: volume,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['storage.volume.delete'],
  },

  // A rehearsal makes up a disk that is away.
  formatStorageVolume: { given: volume, audit: ['storage.volume.format'] },
  formatStorageVolumeForm: {
    given: volume,
    send: ({ name, revision }) => ({ form: { filesystem: 'ext4', confirm: name!, revision: revision! } }),
    audit: ['storage.volume.format'],
  },
  growStorageVolume: { given: formatted, audit: ['storage.volume.grow'] },
  growStorageVolumeForm: {
    given: formatted,
    send: ({ name, revision }) => ({ form: { confirm: name!, revision: revision! } }),
    audit: ['storage.volume.grow'],
  },
  formatStorageVolumePage: { given: volume },
  growStorageVolumePage: { given: volume },

  // Its addresses are those of the name of storage: what is owned by it is read.
  createStorageDatastore: {
    given: volume,
    audit: ['storage.datastore.create'],
    statements: 9,
  },
  createStorageDatastoreForm: {
    given: volume,
    send: ({ volume_id, name }) => ({ form: { ...datastoreForm, name: name!, volume_id: volume_id! } }),
    audit: ['storage.datastore.create'],
    statements: 9,
  },
  getStorageDatastore: { given: datastore },
  // The interfaces are read besides, since the addresses are derived from them.
  updateStorageDatastore: {
    given: datastore,
    audit: ['storage.datastore.update'],
    statements: 7,
  },
  updateStorageDatastoreForm: {
    given: datastore,
    send: ({ volume_id, name, revision }) => ({
      form: { ...datastoreForm, name: name!, volume_id: volume_id!, revision: revision! },
    }),
    audit: ['storage.datastore.update'],
  },
  deleteStorageDatastore: { given: datastore, audit: ['storage.datastore.delete'] },
  deleteStorageDatastoreForm: {
    given: datastore,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['storage.datastore.delete'],
  },

  storageVolumePage: { given: volume },
  deleteStorageVolumePage: { given: volume },
  storageDatastorePage: { given: datastore },
  deleteStorageDatastorePage: { given: datastore },
};
