// The overview: what it says about the service itself.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { House } from '../setup/house.ts';

let house: House;

beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

test('whoever is signed in reads which SQLite driver runs, and who asks for health alone does not', async () => {
  const driver = house.services.store.driver;
  const { status, text } = await house.send('GET', '/ui/management', { session: await house.actor('viewer') });
  expect(status).toBe(200);
  expect(text).toContain(`<dt>SQLite driver</dt><dd><code>${driver}</code></dd>`);
  expect((await house.send('GET', '/healthz')).body).toEqual({ status: 'ok' });
});
