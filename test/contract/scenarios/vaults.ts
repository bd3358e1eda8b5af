// Vaults, their entries, and the rotation of their key.
import type { Given, Scenarios, Scene } from './scenario.ts';

const VAULTS_PATH = '/api/v1/vaults';

const name = async ({ next }: Scene): Promise<Given> => ({ name: `vault-${next()}` });

async function vault(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', VAULTS_PATH, await name(scene));
  return { vault_id: body.id, revision: String(body.revision) };
}

async function entry(scene: Scene): Promise<Given> {
  const { vault_id } = await vault(scene);
  const draft = {
    key: 'esx01.root',
    username: 'root',
    value: 'a stored password',
    uris: ['https://esx01.lab.example'],
  };
  const { body } = await scene.api('POST', `${VAULTS_PATH}/${vault_id}/entries`, draft);
  return { vault_id: vault_id!, entry_id: body.id, revision: String(body.revision) };
}

export const VAULTS: Scenarios = {
  createVault: { given: name, audit: ['vault.create'] },
  getVault: { given: vault },
  updateVault: { given: vault, audit: ['vault.update'] },
  // Kickstarts that name its entries are looked for, and the entries go with it.
  deleteVault: { given: entry, query: '?with_entries=true', audit: ['vault.delete'], statements: 8 },

  listVaultEntries: { given: entry },
  createVaultEntry: {
    given: vault,
    audit: ['vault.entry.create'],
  },
  getVaultEntry: { given: entry },
  updateVaultEntry: { given: entry, audit: ['vault.entry.update'] },
  deleteVaultEntry: { given: entry, audit: ['vault.entry.delete'] },
  listVaultCredentials: { given: entry },

  // The job with three tasks, and the runner's first look for it.
  rotateVaultKey: {
    audit: ['vault.key.rotate'],
    after: ({ house }) => house.appliance.runner.idle(),
    statements: 10,
  },
};
