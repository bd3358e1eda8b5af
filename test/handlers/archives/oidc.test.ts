// Clients and signing keys of OpenID Connect come back from an encrypted archive: the products go on with the secret and the keys
// that they have. No other archive has either.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { clientById } from '../../../shared/services/oidc/clients/clients.ts';
import { isSecret } from '../../../shared/services/oidc/clients/secret.ts';
import { ensureKeys, newKeyPem, openKeys, signingKeys } from '../../../shared/services/oidc/keys/signing-keys.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const API = '/api/v1/archives';
const OWNER = newIdentity(systemEntropy);
const NAME = 'C4nary client';
const houses: House[] = [];
let former: House;
let admin: Credentials;
let client_id = '';
let client_secret = '';
let pems: readonly [string, string];
let files: Record<'whole' | 'plain', Buffer>;

const open = async () => {
  const house = await House.open({ accounts_travel: true, ticker: false });
  houses.push(house);
  return house;
};

beforeAll(async () => {
  former = await open();
  admin = await former.actor('admin', undefined, 'ada');
  pems = [await newKeyPem(), await newKeyPem()];
  await former.services.store.write((tx) => ensureKeys(tx, former.services, pems));
  const { token } = admin;
  const sent = { name: NAME, preset: 'vcenter', redirect_uris: ['https://vc01.lab.example/back'] };
  const made = await former.send('POST', '/api/v1/oidc/clients', { token, body: sent });
  ({ client_secret } = made.body);
  client_id = made.body.client.id;
  const file = async (body: object) => {
    const { body: archive } = await former.send('POST', API, { token, body });
    return readFile(join(former.data, 'archives', `${archive.id}.gcarchive`));
  };
  files = {
    whole: await file({ encryption: 'recipients', recipients: [OWNER.recipient] }),
    plain: await file({ encryption: 'none' }),
  };
}, 120_000);
afterAll(async () => {
  for (const house of houses) await house.close();
});

const start = async (house: House, file: Buffer) => {
  const session = await house.actor('admin', undefined, 'first');
  const form = { identity: OWNER.identity, own_password: PASSWORD, file: file.toString('base64') };
  return house.send('POST', '/ui/management/first-start', { session, form });
};

test('an appliance that starts from it knows the client by its secret, and signs with the same keys', async () => {
  const house = await open();
  expect((await start(house, files.whole)).status).toBe(303);
  const { store } = house.services;
  const client = (await clientById(store, client_id))!;
  expect(client).toMatchObject({ name: NAME, enabled: true, redirect_uris: ['https://vc01.lab.example/back'] });
  const now = new Date().toISOString();
  expect([isSecret(client, client_secret, now), isSecret(client, 'another', now)]).toEqual([true, false]);
  expect(await signingKeys(store)).toEqual(await signingKeys(former.services.store));
  expect(await openKeys(store, house.services)).toEqual(await openKeys(former.services.store, former.services));
  expect(await openKeys(store, house.services)).toHaveLength(2);
  const sealed = 'SELECT sealed_value FROM oidc_signing_key ORDER BY id';
  expect(await store.all(sealed)).not.toEqual(await former.services.store.all(sealed));
});

test('a client that was deleted comes back to the running appliance; its keys stay', async () => {
  const { token } = admin;
  const before = await signingKeys(former.services.store);
  await former.send('DELETE', `/api/v1/oidc/clients/${client_id}`, { token });
  const { items } = (await former.send('GET', API, { token })).body as { items: { id: string; encryption: string }[] };
  const { id } = items.find(({ encryption }) => encryption !== 'none')!;
  const body = { identity: OWNER.identity, units: [{ unit: 'oidc' }] };
  const restored = await former.send('POST', `${API}/${id}/restore`, { token, body });
  expect([restored.status, restored.text]).toEqual([200, expect.any(String)]);
  expect(await clientById(former.services.store, client_id)).toMatchObject({ name: NAME });
  expect(await signingKeys(former.services.store)).toEqual(before);
});

test('keys that changed their places since come back to those that they had', async () => {
  const { token } = admin;
  const { store } = former.services;
  const before = await signingKeys(store);
  expect((await former.send('POST', '/api/v1/oidc/signing-keys/rotate', { token })).status).toBeLessThan(300);
  const states = async () => (await signingKeys(store)).map(({ id, state }) => [id, state]);
  expect(await states()).not.toEqual(before.map(({ id, state }) => [id, state]));
  const { items } = (await former.send('GET', API, { token })).body as { items: { id: string; encryption: string }[] };
  const { id } = items.find(({ encryption }) => encryption !== 'none')!;
  const body = { identity: OWNER.identity, units: [{ unit: 'oidc' }] };
  const restored = await former.send('POST', `${API}/${id}/restore`, { token, body });
  expect([restored.status, restored.text]).toEqual([200, expect.any(String)]);
  expect(await signingKeys(store)).toEqual(before);
});

test('no other archive has them', async () => {
  for (const canary of [NAME, client_secret, client_id, pems[0].slice(40, 90), pems[1].slice(40, 90)])
    for (const file of [files.plain, files.whole]) expect(file.includes(canary)).toBe(false);
  const house = await open();
  expect((await start(house, files.plain)).status).toBe(303);
  expect(await clientById(house.services.store, client_id)).toBeNull();
  expect(await signingKeys(house.services.store)).toEqual([]);
});
