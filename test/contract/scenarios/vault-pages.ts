// The pages of the vaults, and their forms.
import { PASSWORD } from '../../setup/house.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const VAULTS_PATH = '/api/v1/vaults';

async function vault({ api, next }: Scene): Promise<Given> {
  const { body } = await api('POST', VAULTS_PATH, { name: `page-${next()}` });
  return { vault_id: body.id, revision: String(body.revision) };
}

async function entry(scene: Scene): Promise<Given> {
  const { vault_id } = await vault(scene);
  const draft = { key: 'esx01.root', username: 'root', value: 'a stored password' };
  const { body } = await scene.api('POST', `${VAULTS_PATH}/${vault_id}/entries`, draft);
  return { vault_id: vault_id!, entry_id: body.id, revision: String(body.revision) };
}

const revision = ({ revision }: Given) => ({ revision: revision! });

export const VAULT_PAGES: Scenarios = {
  vaultPage: { given: entry },
  downloadVaultEntries: { given: entry },
  editVaultPage: { given: vault },
  deleteVaultPage: { given: entry },
  newVaultEntryPage: { given: vault },
  vaultEntryPage: { given: entry },
  deleteVaultEntryPage: { given: entry },
  revealVaultEntryPage: { given: entry },

  createVaultForm: {
    given: async ({ next }) => ({ name: `form-${next()}` }),
    send: ({ name }) => ({ form: { name: name!, description: '' } }),
    audit: ['vault.create'],
  },
  updateVaultForm: {
    given: async (scene) => ({ ...(await vault(scene)), name: `form-${scene.next()}` }),
    send: (given) => ({ form: { ...revision(given), name: given.name!, description: 'Lab' } }),
    audit: ['vault.update'],
  },
  deleteVaultForm: {
    given: entry,
    send: () => ({ form: { with_entries: 'true' } }),
    statements: 8,
    audit: ['vault.delete'],
  },
  createVaultEntryForm: {
    given: vault,
    send: () => ({ form: { key: 'vcenter.root', username: 'root', value: 'a stored password', uris: '' } }),
    audit: ['vault.entry.create'],
  },
  updateVaultEntryForm: {
    given: entry,
    send: (given) => ({ form: { ...revision(given), key: 'esx01.root', value: 'another one' } }),
    audit: ['vault.entry.update'],
  },
  deleteVaultEntryForm: {
    given: entry,
    send: (given) => ({ form: revision(given) }),
    audit: ['vault.entry.delete'],
  },
  // The password is hashed and the failures of before are forgotten first; then the value is opened and the event written.
  revealVaultEntryForm: {
    given: entry,
    send: () => ({ form: { password: PASSWORD } }),
    status: 200,
    audit: ['vault.entry.reveal'],
    statements: 16,
  },
  rotateVaultKeyForm: {
    audit: ['vault.key.rotate'],
    after: ({ house }) => house.appliance.runner.idle(),
    statements: 12,
  },
};
