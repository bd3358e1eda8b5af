// Names of interfaces are free: one may be called as something else of the pages and the API is.
import { expect, test } from '@jest/globals';
import { PHYSICAL, setScene } from './scene.ts';

const scene = setScene();
const UI = '/ui/management';

test('an interface may be called as a page of others is', async () => {
  const run = (statement: string) => scene.house.services.store.write((tx) => tx.run(statement));
  await run(
    `INSERT INTO interface (name, id, kind, role, enabled, revision, updated_at)
       VALUES ('import', 'import', 'physical', 'unused', 1, 3, '2026-01-01T00:00:00.000Z')`,
  );
  const get = (target: string) => scene.house.send('GET', target, { session: scene.admin });
  const own = await get(`${UI}/interfaces/import`);
  expect([own.status, own.text.includes('name="revision" value="3"')]).toEqual([200, true]);
  const token = scene.admin.token;
  const { body } = await scene.house.send('GET', `${PHYSICAL}/import`, { token });
  expect(body).toMatchObject({ name: 'import', role: 'unused' });
  const changed = await scene.house.send('PATCH', `${PHYSICAL}/import`, { token, body: { mtu: 1400 } });
  expect([changed.status, changed.body.mtu]).toEqual([200, 1400]);
  const csv = 'name,mtu\nimport,1450\n';
  const imported = await scene.house.send('POST', '/api/v1/interfaces/import', { token, body: { csv } });
  expect([imported.status, imported.body.changed]).toEqual([200, 1]);
  expect((await get(`${UI}/interfaces`)).text).toContain(`href="${UI}/import/interfaces"`);
  const page = await get(`${UI}/import/interfaces`);
  expect([page.status, page.text.includes('two interfaces can’t exchange their networks')]).toEqual([200, true]);
  await run("DELETE FROM interface WHERE name = 'import'");
});
