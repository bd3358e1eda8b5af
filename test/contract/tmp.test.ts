import { expect, test } from '@jest/globals';
import { operations } from '../../runtime/generated/operations.ts';
import { openApiDocument } from '../../shared/operation/openapi.ts';
import { House } from '../setup/house.ts';
test('x', async () => {
  for (let i = 0; i < 4; i++) { const t = performance.now(); openApiDocument(operations, { base_url: '', version: '1' }); console.log(performance.now() - t); }
  const house = await House.open();
  const admin = await house.actor('admin');
  for (const o of operations) console.log(o.spec.plane, o.spec.id, o.spec.method, o.spec.path);
  for (const p of ['/api/v1/users', '/api/v1/tokens', '/api/v1/vlans', '/api/v1/nothing']) console.log((await house.send('GET', p, { token: admin.token })).status);
  expect((await house.send('POST', '/api/v1/users', { token: admin.token, body: { name: 'bo', role: 'viewer', password: 'hello there you all' } })).status).toBe(201);
  await house.close();
});
