// Mounting a datastore on ESX hosts through a vCenter, from the first step to what each host has; one that refuses, and unmounting.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startVsphereNas, type VsphereNas } from '../../fakes/vsphere-nas.ts';
import { datastoreInForce, MOUNT, mountLoggedIn } from '../../setup/datastore-mount-scene.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { Walk } from '../../setup/wizard-walk.ts';

let house: House;
let admin: Credentials;
let fake: VsphereNas;
const lines: string[] = [];
const EXPORT = { server: '10.10.0.5', path: '/srv/datastores/disk-lab/lab' };
const BOTH = ['host-1', 'host-2'];

beforeAll(async () => {
  house = await House.open({ log: (line: string) => void lines.push(line) });
  admin = await house.actor('admin');
});
afterAll(() => house.close());
afterEach(() => fake?.stop());

const api = async (path: string) => (await house.send('GET', `/api/v1/${path}`, { token: admin.token })).body;

/** Queued and ended. */
async function run(action: 'mount' | 'unmount', hosts: string[]) {
  const walk = await mountLoggedIn(house, admin, fake);
  await walk.send('Hosts', { action, hosts });
  expect(walk.step).toBe('review');
  await walk.send(action === 'mount' ? 'Mount' : 'Unmount', { password: fake.account.password });
  await house.appliance.runner.idle();
  return { walk, job: await api(`jobs/${walk.at.split('/').at(-1)}`) };
}
const steps = ({ tasks }: { tasks: { name: string; state: string }[] }) =>
  tasks.map(({ name, state }) => `${name} ${state}`);

test('without a datastore in force there is nothing to mount', async () => {
  const walk = await new Walk(house, admin).open(MOUNT);
  expect(walk.words).toMatch(/No datastore is in force/);
});

describe('with one', () => {
  beforeAll(() => datastoreInForce(house, admin));

  test('it is mounted on both hosts, by the same server and folder, and unmounted from one', async () => {
    fake = await startVsphereNas();
    const { walk, job } = await run('mount', BOTH);
    expect([job.state, job.error]).toEqual(['succeeded', null]);
    expect(steps(job)).toEqual(['login succeeded', 'host-1 succeeded', 'host-2 succeeded']);
    const mount = { name: 'lab', ...EXPORT, type: 'NFS41' };
    expect(fake.hosts.map(({ mounts }) => mounts)).toEqual([[mount], [mount]]);
    await walk.open(walk.at);
    expect(walk.words).toMatch(/lab is mounted on 2 hosts/);

    const again = await run('mount', ['host-1']);
    expect([again.job.state, fake.hosts[0]!.mounts.length]).toEqual(['succeeded', 1]);
    expect(JSON.stringify(again.job.tasks)).toMatch(/mounted already, as lab/);

    const { job: gone } = await run('unmount', ['host-2']);
    expect(gone.state).toBe('succeeded');
    expect(fake.hosts.map(({ mounts }) => mounts.length)).toEqual([1, 0]);
    const { items } = await api('audit?action=remote.datastore.mount');
    expect(items[0].detail).toMatchObject({ datastore: 'lab', nfs: `${EXPORT.server}:${EXPORT.path}` });
  });

  test('a host that refuses is told with its reason, and the others are done', async () => {
    fake = await startVsphereNas(['esx01.lab.test', 'esx02.lab.test', 'esx03.lab.test']);
    fake.hosts[1]!.fault = { type: 'PlatformConfigFault', message: 'Unable to connect to NAS volume' };
    const { walk, job } = await run('mount', ['host-1', 'host-2', 'host-3']);
    expect([job.state, job.error.error_code]).toEqual(['failed', 'remote_refused']);
    expect(job.error.detail).toMatch(
      /1 of 3 hosts did not mount it\. esx02\.lab\.test: .*Unable to connect to NAS volume/,
    );
    expect(steps(job).slice(1)).toEqual(['host-1 succeeded', 'host-2 failed', 'host-3 succeeded']);
    await walk.open(walk.at);
    expect(walk.words).toMatch(/Not every host did it/);
  });

  test('a name that a host uses for another datastore is refused there', async () => {
    fake = await startVsphereNas();
    fake.hosts[0]!.mounts.push({ name: 'lab', server: '192.0.2.1', path: '/other', type: 'NFS' });
    const { job } = await run('mount', ['host-1']);
    expect(job.error.detail).toMatch(/has another datastore named lab\. Rename one of the two/);
    expect(fake.hosts[0]!.mounts).toHaveLength(1);
  });

  test('one that any host has over the other version is mounted nowhere: their locks are apart', async () => {
    fake = await startVsphereNas();
    fake.hosts[1]!.mounts.push({ name: 'lab', ...EXPORT, type: 'NFS' });
    const { job } = await run('mount', ['host-1']);
    expect([job.state, job.error.error_code]).toEqual(['failed', 'remote_refused']);
    expect(job.error.detail).toMatch(
      /esx02\.lab\.test has lab mounted over NFS 3, .* over NFS 4\.1\..*Unmount it there/,
    );
    expect(fake.calls).not.toContain('CreateNasDatastore');
    const { job: gone } = await run('unmount', ['host-2']);
    expect([gone.state, fake.hosts[1]!.mounts.length]).toEqual(['succeeded', 0]);
  });

  test('where every host refused, none is said to be done', async () => {
    fake = await startVsphereNas();
    fake.hosts[0]!.fault = { type: 'PlatformConfigFault', message: 'Unable to connect to NAS volume' };
    const { job } = await run('mount', ['host-1']);
    expect(job.error.detail).not.toMatch(/others are done/);
  });

  test('one in use is not unmounted', async () => {
    fake = await startVsphereNas();
    await run('mount', ['host-1']);
    fake.hosts[0]!.fault = { type: 'ResourceInUse', message: 'The resource is in use.' };
    const { job } = await run('unmount', ['host-1']);
    expect([job.state, fake.hosts[0]!.mounts.length]).toEqual(['failed', 1]);
  });

  test('nothing but what was offered can be chosen', async () => {
    fake = await startVsphereNas();
    const walk = await mountLoggedIn(house, admin, fake);
    expect(walk.words).toMatch(/esx01\.lab\.test, ESX 8\.0\.3/);
    await walk.send('Hosts', { export: '192.0.2.9 lab', hosts: ['host-9'] });
    expect(walk.words).toMatch(/not in force.*not there any more/);
    await walk.send('Hosts', { hosts: [] });
    expect(walk.words).toMatch(/Choose at least one host/);
    expect(fake.calls).not.toContain('CreateNasDatastore');
  });

  test('the password is in no log, page, job or audit event', async () => {
    fake = await startVsphereNas();
    const { walk, job } = await run('mount', ['host-1']);
    const all = [...lines, walk.html, JSON.stringify(job), JSON.stringify(await api('audit?limit=200'))].join('\n');
    expect(all).not.toContain(fake.account.password);
    expect(fake.bodies.join('\n')).toContain(fake.account.password);
  });
});
