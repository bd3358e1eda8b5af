// Archives over the API and on their pages.
import { readFile } from 'node:fs/promises';
import { emptyState } from '../../../shared/appliance/archive/empty.ts';
import { archiveFile } from '../../../shared/appliance/archive/kept.ts';
import { stateNow } from '../../../shared/appliance/archive/now.ts';
import { restoreState } from '../../../shared/appliance/archive/restore.ts';
import { systemActor } from '../../../shared/kernel/access/actor.ts';
import { PASSWORD } from '../../setup/house.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const ARCHIVES_PATH = '/api/v1/archives';

async function archive({ api }: Scene): Promise<Given> {
  const { body } = await api('POST', ARCHIVES_PATH, { encryption: 'none' });
  return { archive_id: body.id };
}

/** A zone has come since. */
async function differing(scene: Scene): Promise<Given> {
  const given = await archive(scene);
  await scene.api('POST', '/api/v1/dns/zones', { name: `since-${scene.next()}.example` });
  return given;
}

/** The beginning of one: nobody opens it here. */
const archiveBytes = (): string => 'manifest.json\0';

/** No more lie there than may. */
const remove = async ({ house }: Scene): Promise<void> => {
  await house.services.store.write((tx) => tx.run('DELETE FROM archive'));
};

/** No job of another scenario goes on. */
async function idle({ house }: Scene): Promise<Given> {
  await house.services.store.write((tx) => tx.run("UPDATE job SET state = 'cancelled' WHERE finished_at IS NULL"));
  return {};
}

/** As a new appliance, with the one account that asks; its session and its token go on. */
async function bare(scene: Scene): Promise<Given> {
  await idle(scene);
  const { services } = scene.house;
  const { user } = scene.admin;
  await services.store.write(async (tx) => {
    const state = emptyState(await stateNow(tx, services, { state: new Map(), many: [] }));
    await restoreState(tx, services, systemActor('test'), { state, many: [] }, { mode: 'replace', units: null });
    await tx.run('DELETE FROM user WHERE id <> ?', [user.id]);
  });
  const { archive_id = '' } = await archive(scene);
  const file = await readFile(archiveFile(services.settings, archive_id));
  return { file: file.toString('base64') };
}

const RESET = { confirm: 'gc01.lab.example', own_password: PASSWORD };

async function receiving({ api }: Scene): Promise<Given> {
  const { body } = await api('POST', `${ARCHIVES_PATH}/uploads`, { size_bytes: archiveBytes().length });
  return { archive_id: body.id };
}

export const ARCHIVES: Scenarios = {
  factoryReset: { given: idle, send: () => ({ body: RESET }), audit: ['appliance.reset'], statements: 300 },
  factoryResetForm: { given: idle, send: () => ({ form: RESET }), audit: ['appliance.reset'], statements: 300 },
  factoryResetPage: {},
  startFromArchiveForm: {
    given: bare,
    send: ({ file = '' }) => ({ form: { file, own_password: PASSWORD } }),
    audit: ['archive.restore'],
    statements: 300,
  },

  createArchive: { audit: ['archive.create'], after: remove },
  listArchives: { given: archive },
  getArchive: { given: archive },
  downloadArchive: { given: archive },
  deleteArchive: { given: archive, audit: ['archive.delete'] },

  beginArchiveUpload: { audit: ['archive.upload.begin'], after: remove },
  uploadArchive: {
    given: receiving,
    query: '?offset=0',
    send: () => ({ raw: archiveBytes(), headers: { 'content-type': 'application/octet-stream' } }),
    audit: ['archive.upload'],
  },
  beginArchiveUploadForm: {
    send: () => ({ form: { name: 'lab.gcarchive', size_bytes: '14' } }),
    audit: ['archive.upload.begin'],
    after: remove,
  },
  uploadArchivePieceForm: {
    given: async (scene) => ({ ...(await receiving(scene)), csrf: scene.admin.csrf }),
    query: '?offset=0',
    send: ({ csrf }) => ({
      raw: archiveBytes(),
      headers: { 'content-type': 'application/octet-stream', 'x-csrf-token': csrf! },
    }),
    audit: ['archive.upload'],
    after: remove,
  },
  inspectArchive: { given: archive, statements: 120 },
  // A zone that was made since goes.
  restoreArchive: { given: differing, audit: ['archive.restore'], statements: 200 },

  uploadArchivePage: {},
  restoreArchivePage: { given: archive },
  uploadArchiveForm: {
    send: () => ({ form: { file: Buffer.from(archiveBytes()).toString('base64') } }),
    audit: ['archive.upload'],
    after: remove,
  },
  inspectArchiveForm: { given: archive, status: 200, send: () => ({ form: {} }), statements: 130 },
  restoreArchiveForm: {
    given: differing,
    send: () => ({
      form: { units: 'dns-dhcp/dns_zones', mode: 'replace', confirm: 'restore', own_password: PASSWORD },
    }),
    audit: ['archive.restore'],
    statements: 214,
  },
  // The scene is past its first start.
  firstStartPage: {},
  archivePage: { given: archive },
  deleteArchivePage: { given: archive },
  downloadArchivePage: { given: archive },
  createArchiveForm: {
    send: () => ({ form: { encryption: 'none', own_password: PASSWORD } }),
    audit: ['archive.create'],
    statements: 14,
    after: remove,
  },
  deleteArchiveForm: { given: archive, audit: ['archive.delete'] },
};
