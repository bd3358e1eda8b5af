// Archives over the API and on their pages.
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

export const ARCHIVES: Scenarios = {
  createArchive: { audit: ['archive.create'], after: remove },
  listArchives: { given: archive },
  getArchive: { given: archive },
  downloadArchive: { given: archive },
  deleteArchive: { given: archive, audit: ['archive.delete'] },

  beginArchiveUpload: { audit: ['archive.upload.begin'], after: remove },
  uploadArchive: {
    given: async (scene) => {
      const bytes = archiveBytes();
      const { body } = await scene.api('POST', `${ARCHIVES_PATH}/uploads`, { size_bytes: bytes.length });
      return { archive_id: body.id };
    },
    query: '?offset=0',
    send: () => ({ raw: archiveBytes(), headers: { 'content-type': 'application/octet-stream' } }),
    audit: ['archive.upload'],
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
