// Archives over the API and on their pages.
import { PASSWORD } from '../../setup/house.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const ARCHIVES_PATH = '/api/v1/archives';

async function archive({ api }: Scene): Promise<Given> {
  const { body } = await api('POST', ARCHIVES_PATH, { encryption: 'none' });
  return { archive_id: body.id };
}

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
