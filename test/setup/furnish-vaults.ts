// Vaults of a small VMware lab for the browser tests: one with credentials of its machines, one that is empty.
type Call = (method: string, path: string, body: unknown) => Promise<{ id: string }>;

const ENTRIES = [
  {
    key: 'esx01.root',
    username: 'root',
    value: 'Sample-of-the-lab-1',
    uris: ['https://esx01.lab.example', 'ssh://esx01.lab.example'],
    description: 'Management host 1',
  },
  { key: 'esx02.root', username: 'root', value: 'Sample-of-the-lab-2', uris: ['https://esx02.lab.example'] },
  { key: 'nsx.audit', username: 'audit', uris: ['https://nsx01.lab.example'], description: 'Read only' },
  {
    key: 'vcenter.sso',
    username: 'administrator@vsphere.local',
    value: 'Sample-of-the-lab-3',
    uris: ['https://vc01.lab.example/ui', 'https://vc01.lab.example:5480'],
    description: 'Single sign-on of the management domain',
  },
];

/** Values for the path parameters of the vault pages. */
export async function furnishVaults(call: Call): Promise<{ vault_id: string; entry_id: string }> {
  const { id: vault_id } = await call('POST', '/api/v1/vaults', {
    name: 'site-a',
    description: 'Management domain of the lab',
  });
  await call('POST', '/api/v1/vaults', { name: 'site-b', description: 'Workload domain, not built yet' });
  let entry_id = '';
  for (const entry of ENTRIES) {
    const { id } = await call('POST', `/api/v1/vaults/${vault_id}/entries`, entry);
    entry_id ||= id;
  }
  return { vault_id, entry_id };
}
