// An interface whose adapter was taken out, forgotten after it was applied: the plan shows it, and nothing of it stays.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LINKS } from '../../setup/house.ts';
import { api, applied, house, open, PLANS, saved } from './apply-scene.ts';

const FILE = '/etc/systemd/network/40-groundcrew-ens224.network';

/** Names and content of every file in force. */
async function rendered(): Promise<string> {
  const folder = house.services.host.resolve('/etc');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return [...paths, ...(await Promise.all(paths.map((path) => readFile(path, 'utf8'))))].join('\n');
}

test('what was applied for a forgotten interface goes with the next apply', async () => {
  let links = LINKS;
  await open({ host: (rehearsal) => ({ ...rehearsal, links: async () => links }) });
  await saved(['PATCH', '/api/v1/interfaces/physical/ens224', { role: 'access', ipv4_cidr: '192.168.10.2/24' }]);
  await applied();
  expect(await rendered()).toContain('Name=ens224');
  links = LINKS.filter(({ name }) => name !== 'ens224');
  await saved(
    ['POST', '/api/v1/interfaces/refresh', undefined],
    ['DELETE', '/api/v1/interfaces/physical/ens224', undefined],
  );
  const { body: plan } = await api('POST', PLANS, {});
  const { body } = await api('GET', `${PLANS}/${plan.id}`);
  expect(body.units.find(({ id }: { id: string }) => id === 'network')).toMatchObject({
    says: ['ens224 is no longer configured; its addresses are removed.'],
    diff: { added: 0, changed: 0, removed: 5 },
    written: [],
    removed: [FILE],
  });
  await applied();
  expect(await rendered()).not.toContain('ens224');
  const list = await house.send('GET', '/ui/management/interfaces', { session: await house.actor('viewer') });
  expect(list.text).not.toContain('ens224');
});
