// Registering at a vCenter from the first step to the first key: the fake is a KMIP client with its own key and the
// certificate that it was given. And what is refused before anything is queued.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MANIFEST_PATH } from '../../../shared/services/kms/manifest.ts';
import { startVcenterKms, type VcenterKms, type VcenterKmsOptions } from '../../fakes/vcenter-kms.ts';
import { type Credentials, type House, PASSWORD } from '../../setup/house.ts';
import {
  hurry,
  keyProviderScene,
  loggedIn,
  REGISTER,
  registered,
  reviewed,
  storedLogin,
  toLogin,
} from '../../setup/key-provider-scene.ts';
import { asked, CREATE, idIn, materialIn, named, read, request } from '../../setup/kmip-messages.ts';
import type { KmsScene } from '../../setup/kms-scene.ts';
import { states } from '../../setup/remote-depot-scene.ts';
import { Walk } from '../../setup/wizard-walk.ts';

let scene: KmsScene;
let house: House;
let admin: Credentials;
const lines: string[] = [];
const fakes: VcenterKms[] = [];

beforeAll(async () => {
  hurry();
  scene = await keyProviderScene({ log: (line) => void lines.push(line) });
  ({ house, admin } = scene);
});
afterAll(() => scene.close());
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.stop();
});

async function vcenter(options: VcenterKmsOptions = {}): Promise<VcenterKms> {
  const fake = await startVcenterKms(options);
  fakes.push(fake);
  return fake;
}

async function ended(walk: Walk) {
  await house.appliance.runner.idle();
  return scene.api('GET', `/api/v1/jobs/${walk.at.split('/').at(-1)}`);
}
const events = async (action: string) => (await scene.api('GET', `/api/v1/audit?action=${action}`)).items;
const jobs = async (): Promise<number> => (await scene.api('GET', '/api/v1/jobs?limit=200')).items.length;

/** One request of the fake, as the client that it is. */
async function asVcenter(fake: VcenterKms, id: string, message: Buffer) {
  const socket = await fake.kmip(id);
  const heard = await asked(socket, message);
  socket.destroy();
  return read(heard!);
}

test('from the first step to a key that the vCenter created and got', async () => {
  const fake = await vcenter({ providers: [{ id: 'old-kms' }] });
  const walk = await reviewed(house, admin, fake, { provider_name: 'first', cluster: 'lab-keys', make_default: 'yes' });
  expect(walk.words).toContain('yes, no longer old-kms');
  expect(fake.calls.filter((call) => /Register|Upload|Generate|Update|Mark|Remove/.test(call))).toEqual([]);
  await walk.send('Register', { password: fake.account.password, own_password: PASSWORD });
  const job = await ended(walk);
  expect([job.state, job.error]).toEqual(['succeeded', null]);
  expect(states(job)).toEqual(
    ['login', 'read', 'register', 'trust', 'client', 'status', 'default'].map((name) => `${name} succeeded`),
  );

  const [old, made] = fake.providers;
  expect([old!.is_default, made!.is_default]).toEqual([false, true]);
  const { port } = scene;
  expect(made!.servers).toEqual([{ name: expect.stringMatching(/^127\.0\.0\.1-\w{8}$/), address: '127.0.0.1', port }]);
  const created = await asVcenter(fake, 'lab-keys', request([{ operation: 'Create', payload: CREATE }]));
  expect(created.items[0]!.status).toBe(0);
  const get = request([{ operation: 'Get', payload: [named(idIn(created))] }]);
  expect(materialIn(await asVcenter(fake, 'lab-keys', get))).toHaveLength(32);

  const { items: own } = await scene.api('GET', '/api/v1/kms/providers?name=first');
  const { items: clients } = await scene.api('GET', `/api/v1/kms/clients?provider_id=${own[0].id}`);
  expect(clients).toMatchObject([
    { name: '127.0.0.1', origin: 'signed', state: 'valid', certificate: made!.certificate_pem },
  ]);
  expect([own[0].client_count, own[0].key_count]).toEqual([1, 1]);
  expect((await walk.open(walk.at)).words).toContain(
    'connected to the key provider lab-keys, which is its default now',
  );
});

test('nothing secret is left in the log, the job, the audit log or a page', async () => {
  const fake = await vcenter({
    account: { username: 'administrator@vsphere.local', password: 'Canary-of-the-vcenter-1!' },
  });
  const walk = await registered(house, admin, fake, { provider_name: 'canary', cluster: 'canary' });
  const job = await ended(walk);
  expect(job.state).toBe('succeeded');
  await walk.open(walk.at);
  const all = [...lines, ...house.heard.map(({ answer }) => answer.body), JSON.stringify(job)].join('\n');
  const rows = await house.services.store.all('SELECT * FROM job');
  for (const text of [all, JSON.stringify(rows), JSON.stringify(await scene.api('GET', '/api/v1/audit'))]) {
    expect(text).not.toContain('Canary-of-the-vcenter-1!');
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain('PRIVATE KEY');
  }
  expect(fake.bodies.filter((body) => body.includes('PRIVATE KEY'))).toEqual([]);
});

test('a stored login, and a provider that is here already: its vCenters share the keys', async () => {
  const fake = await vcenter();
  const provider_id = await scene.provider('shared');
  const choice = await storedLogin(house, admin, fake, 'vcenters');
  const walk = await new Walk(house, admin).open(`${REGISTER}?${new URLSearchParams({ step: 'server', ...choice })}`);
  await walk.send('Server');
  await walk.send('Fingerprint', { confirm: 'yes' });
  await walk.send('Read');
  await walk.send('Key provider', { provider_id, cluster: 'shared', make_default: null });
  await walk.send('Register', { own_password: PASSWORD });
  const job = await ended(walk);
  expect([job.state, job.result.provider]).toEqual(['succeeded', 'shared']);
  expect(states(job).at(-1)).toBe('default skipped');
  const uses = await events('vault.entry.use');
  expect(uses.map(({ detail }: { detail: { purpose: string } }) => detail.purpose)).toContain(
    'key-provider-registration',
  );
});

describe('refused before anything is queued', () => {
  test('a wrong login', async () => {
    const fake = await vcenter();
    const walk = await toLogin(house, admin, fake);
    await walk.send('Login', { ...fake.account, password: 'a wrong one' });
    expect([walk.step, walk.words]).toEqual(['login', expect.stringContaining('The login was refused')]);
  });

  test('an ESX host', async () => {
    const fake = await vcenter({ kind: 'HostAgent' });
    const walk = await loggedIn(house, admin, fake);
    expect(walk.words).toContain('Key providers are registered at a vCenter.');
  });

  test('a certificate that changed since it was confirmed: the login is sent to nobody', async () => {
    const fake = await vcenter();
    const walk = await toLogin(house, admin, fake);
    fake.changeCertificate();
    await walk.send('Login', fake.account);
    expect([walk.step, walk.words]).toEqual(['tls', expect.stringContaining('another one than was confirmed')]);
    expect(fake.calls).toEqual([]);
  });

  test.each([
    ['a name that the vCenter has, in other letters', { cluster: 'OLD-kms' }, 'cluster', 'of this name already'],
    ['a name that is taken here', { provider_name: 'shared' }, 'provider_name', 'has this name already'],
    ['a name that can’t be one here', { provider_name: 'Not A Name!' }, 'provider_name', ''],
    ['an address where it does not listen', { place: '192.0.2.1:5696' }, 'place', 'does not answer there'],
    ['an empty name', { cluster: ' ' }, 'cluster', 'Name the key provider.'],
  ])('%s', async (_what, changes, field, detail) => {
    const fake = await vcenter({ providers: [{ id: 'old-kms' }] });
    const walk = await reviewed(house, admin, fake, { provider_name: 'never', ...changes });
    expect(walk.step).toBe('provider');
    expect(walk.html).toMatch(new RegExp(`id="${field}-error"[^<]*>[^]*?${detail}`));
  });

  test('without the own password: recorded, and nothing is queued', async () => {
    const fake = await vcenter();
    const walk = await reviewed(house, admin, fake, { provider_name: 'guessed' });
    const before = [await jobs(), (await events('remote.key-provider.queue')).length];
    await walk.send('Register', { password: fake.account.password, own_password: 'not this one' });
    expect(walk.html).toContain('id="own_password-error"');
    expect(walk.step).toBe('review');
    const after = await events('remote.key-provider.queue');
    expect([await jobs(), after.length]).toEqual([before[0], before[1]! + 1]);
    expect(after[0]).toMatchObject({ outcome: 'failure', detail: { refused: 'password' } });
  });

  test('what was chosen in another tab meanwhile', async () => {
    const fake = await vcenter();
    const walk = await reviewed(house, admin, fake, { provider_name: 'tabbed' });
    const other = await new Walk(house, admin).open(walk.at.replace('step=review', 'step=provider'));
    await other.send('Key provider', { cluster: 'another' });
    await walk.send('Register', { password: fake.account.password, own_password: PASSWORD });
    expect(walk.words).toContain('changed since this review was shown');
  });

  test('whoever may not change key management', async () => {
    const viewer = await house.actor('viewer');
    expect((await house.send('GET', REGISTER, { session: viewer })).status).toBe(403);
  });
});

test('while key management is not in force, the page says what is missing', async () => {
  const { host } = house.services;
  const content = (await host.read(MANIFEST_PATH))!;
  await host.remove(MANIFEST_PATH);
  const page = await new Walk(house, admin).open(REGISTER);
  expect(page.words).toContain('The KMIP server is not in force');
  expect(page.step).toBeNull();
  await host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
});
