// The page that asks before the vaults get a new key.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

test('a new key is asked about on a page that says what it does', async () => {
  const session = { session: admin };
  const key = (await house.send('GET', '/ui/management/vaults/key', session)).text;
  expect(key).toContain('href="/ui/management/vaults/key/rotate"');
  expect(key).not.toMatch(/<form[^>]*action="\/ui\/management\/vaults\/key"/);
  const asks = (await house.send('GET', '/ui/management/vaults/key/rotate', session)).text;
  expect(asks).toMatch(/Rotate the encryption key\?[\s\S]*A new key is made[\s\S]*It can’t be undone/);
  expect(key).not.toContain('http-equiv="refresh"');
  house.appliance.runner.wake = () => undefined;
  const sent = await house.send('POST', '/ui/management/vaults/key', { ...session, form: {} });
  expect([sent.status, sent.headers.location]).toEqual([303, expect.stringContaining('/jobs/')]);
  const during = (await house.send('GET', '/ui/management/vaults/key', session)).text;
  expect(during).toContain('http-equiv="refresh"');
  delete (house.appliance.runner as { wake?: unknown }).wake;
  house.appliance.runner.wake();
  await house.appliance.runner.idle();
});
