// The restore drill of key management, over TLS: an appliance is lost, an empty one starts from its archive, and the client that
// was let in gets the identical key with the certificate that it has; nobody else does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KmsListeners } from '../../runtime/kms-listeners.ts';
import { newIdentity } from '../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { MANIFEST_PATH, writeManifest } from '../../shared/services/kms/manifest.ts';
import { House, PASSWORD } from '../setup/house.ts';
import { asked, CREATE, idIn, materialIn, named, read, request } from '../setup/kmip-messages.ts';
import { KmsScene, type Pair } from '../setup/kms-scene.ts';
import { until } from '../setup/until.ts';

const OWNER = newIdentity(systemEntropy);
let lost: KmsScene;
let house: House;
let listeners: KmsListeners;

beforeAll(async () => {
  lost = await KmsScene.open({ ticker: false, accounts_travel: true });
  house = await House.open({ ticker: false });
  listeners = new KmsListeners(house.services);
}, 300_000);
afterAll(async () => {
  await listeners?.stop(0);
  await house?.close();
  await lost?.close();
});

/** The server has to show a certificate of the root that the former appliance had. */
const open = (pair: Pair): Promise<TLSSocket> =>
  new Promise((done, fail) => {
    const { port } = listeners.addresses[0]!;
    const own = { cert: pair.certificate, key: pair.private_key };
    const socket = connect({ host: '127.0.0.1', port, ca: lost.root_pem, ...own }, () => done(socket));
    socket.once('error', fail);
  });
const get = (id: string) => request([{ operation: 'Get', payload: [named(id)] }]);

test('an empty appliance gives the identical key to the same certificate', async () => {
  const pair = await lost.client(await lost.provider('management-domain'));
  const removed = await lost.client(await lost.provider('other'), 'vc02.lab.example');
  const before = await lost.connect(pair);
  const id = idIn(read((await asked(before, request([{ operation: 'Create', payload: CREATE }])))!));
  const material = materialIn(read((await asked(before, get(id)))!));
  before.destroy();
  await lost.api('DELETE', `/api/v1/kms/clients/${removed.client_id}`);

  const to = { encryption: 'recipients', recipients: [OWNER.recipient] };
  const archive = await lost.api('POST', '/api/v1/archives', to);
  const bytes = readFileSync(join(lost.house.data, 'archives', `${archive.id}.gcarchive`));
  for (const form of ['hex', 'base64'] as const)
    expect(bytes.toString('latin1')).not.toContain(material.toString(form));
  const form = { file: bytes.toString('base64'), identity: OWNER.identity, own_password: PASSWORD };
  const started = await house.send('POST', '/ui/management/first-start', {
    session: await house.actor('admin'),
    form,
  });
  expect([started.status, started.text]).toEqual([303, '']);

  const at = [{ interface: 'lo', address: '127.0.0.1', port: 0 }];
  const content = writeManifest({ version: 1, listeners: at, hostname: '' });
  await house.services.host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
  await listeners.start();
  await until(() => listeners.addresses.length === 1);
  const after = await open(pair);
  expect(materialIn(read((await asked(after, get(id)))!))).toEqual(material);
  after.destroy();
  const stranger = await open(removed).catch(() => null);
  expect(stranger && (await asked(stranger, get(id)))).toBeNull();
  const [kek, former] = await Promise.all(
    [house, lost.house].map(({ services }) => services.store.one<{ kek_id: string }>('SELECT kek_id FROM kms_key')),
  );
  expect(kek!.kek_id).not.toBe(former!.kek_id);
}, 300_000);
