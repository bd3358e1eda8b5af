// The page of health and its twin in the API, of an appliance that has a bit of everything.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { furnish } from '../../setup/furnish.ts';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
  await furnish(house, admin);
}, 300_000);
afterAll(() => house.close());

test('the API and the page name the same conditions, the worst first', async () => {
  const { body } = await house.send('GET', '/api/v1/health', { token: admin.token });
  expect(body.status).toBe('attention');
  expect(body.conditions[0]).toEqual({
    id: 'keys_unprotected',
    severity: 'critical',
    subject: 'kms',
    says: expect.stringMatching(/^\d keys? of the KMIP server/),
  });
  const { text } = await house.send('GET', '/ui/management/health', { session: admin });
  for (const { says } of body.conditions) expect(text).toContain(says);
  expect(text).not.toContain('Nothing needs you.');
});

test('every unit is told, and certificates by their end', async () => {
  const { body } = await house.send('GET', '/api/v1/health', { token: admin.token });
  expect(body.services.map(({ unit }: { unit: string }) => unit)).toContain('network');
  const ends = body.certificates.map(({ not_after }: { not_after: string }) => not_after);
  expect(ends.length).toBeGreaterThan(1);
  expect(ends).toEqual(ends.toSorted());
});

test.each([
  ['', '24 hours'],
  ['?range=month', '30 days'],
  ['?range=nonsense', '24 hours'],
])('the charts of %p have their numbers in a table', async (query, chosen) => {
  const { status, text } = await house.send('GET', `/ui/management/health${query}`, { session: admin });
  expect(status).toBe(200);
  expect(text).toMatch(new RegExp(`aria-current="[a-z]+"[^>]*>\\s*${chosen}`));
  expect(text.match(/<svg[^>]*role="img"[^>]*aria-label="DNS queries: between /)).not.toBeNull();
  expect(text.match(/<caption[^>]*>DNS queries, per minute/)).not.toBeNull();
});

test('a viewer sees it, and a token without the scope does not', async () => {
  const viewer = await house.actor('viewer', undefined, 'viewer');
  expect((await house.send('GET', '/ui/management/health', { session: viewer })).status).toBe(200);
  const { token } = await house.actor('admin', ['read:dns'], 'names');
  expect((await house.send('GET', '/api/v1/health', { token })).status).toBe(403);
});
