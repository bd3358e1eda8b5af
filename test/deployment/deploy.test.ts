// Deployments against govmomi's simulator, from an OVA in the depot to an SDDC Manager that answers, trusts and has a depot.
import { afterEach, expect, jest, test } from '@jest/globals';
import { preflight } from '../../shared/vcf/deployment/preflight.ts';
import { deploymentShell } from '../../shared/vcf/deployment/shell.ts';
import { deploymentView } from '../../shared/vcf/deployment/view.ts';
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import { sddcManagerAnswers } from '../setup/make-ova.ts';
import { stored } from '../setup/remote-scene.ts';
import { queueWith } from './deploy-request.ts';
import { DeployScene, NAME, outline, type SceneOptions } from './deploy-scene.ts';

jest.setTimeout(300_000);

let scene: DeployScene;
afterEach(() => scene?.close());
const opened = async (options: SceneOptions = {}) => {
  scene = await DeployScene.open(options);
  return scene;
};

/** Steps at whose beginning is looked what the settings of the machine have. */
const LOOKED_AT = ['deploy.wait', 'deploy.dns', 'deploy.trust', 'deploy.depot'];

const texts = (job: { tasks: { name: string; log: { text: string }[] }[] }, name: string): string =>
  job.tasks
    .find((task) => task.name === name)!
    .log.map(({ text }) => text)
    .join('\n');

test.each(['vc', 'esx'] as const)('%s: the bytes arrive, the machine starts, its API answers', async (mode) => {
  await opened({ mode });
  const job = await scene.run();
  expect(job.error).toBeNull();
  const esx = mode === 'esx' ? 'succeeded' : 'skipped';
  expect(outline(job)).toEqual({
    ...{ verify: 'succeeded', spec: 'succeeded', lease: 'succeeded', upload: 'succeeded', complete: 'succeeded' },
    ...{ environment: esx, 'power-on': 'succeeded', wait: 'succeeded', clear: esx },
    ...{ dns: 'skipped', trust: 'skipped', depot: 'skipped', sync: 'skipped' },
  });
  expect(scene.vsphere.uploads.map(({ sha256 }) => sha256)).toEqual(await scene.disks());
  expect(texts(job, 'complete')).toContain('2 of 2 sums compared: the same');
  expect(scene.vsphere.leases.map(({ state }) => state)).toEqual(['done']);
  expect(scene.vsphere.sessions()).toEqual([]);
  expect(job.result).toMatchObject({
    state: 'succeeded',
    machine: { name: NAME, power: 'on' },
    appliance: { role: 'SDDC Manager', version: '9.1.0.0.24962180', sha256: scene.appliance.sha256 },
  });
  expect(texts(job, 'wait')).toContain(scene.appliance.sha256);
  const upload = job.tasks.find(({ name }) => name === 'upload')!;
  expect(upload.progress).toMatchObject({ done_bytes: (3 << 20) + 5_000_001, total_bytes: (3 << 20) + 5_000_001 });
  if (mode === 'esx') {
    expect(scene.vsphere.calls.filter(({ method }) => method === 'ReconfigVM_Task')).toHaveLength(2);
    expect(await scene.vsphere.extraConfig(NAME, 'guestinfo.ovfEnv')).toBeFalsy();
  }
});

test('the guest of a host sees what was typed, secrets among it', async () => {
  let seen: Record<string, string> = {};
  await opened({
    mode: 'esx',
    vsphere: {
      boot: async ({ properties }) => {
        seen = properties;
        await scene.appliance.nextPhase();
        return undefined;
      },
    },
  });
  expect((await scene.run()).error).toBeNull();
  expect(seen).toMatchObject({ ...sddcManagerAnswers(), 'vami.ip0.SDDC-Manager': '127.0.0.61' });
});

test('nothing secret is written down, logged or said', async () => {
  await opened({ mode: 'esx' });
  await scene.run();
  const { LOCAL_USER_PASSWORD, ROOT_PASSWORD } = sddcManagerAnswers();
  const tables = await Promise.all(
    ['job', 'task', 'audit_event'].map((table) => scene.services.store.all(`SELECT * FROM ${table}`)),
  );
  const written = JSON.stringify([tables, scene.lines]);
  for (const secret of [
    LOCAL_USER_PASSWORD!,
    ROOT_PASSWORD!,
    ...scene.vsphere.secrets(),
    ...scene.appliance.secrets(),
  ]) {
    expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  expect(scene.vsphere.secrets().length).toBeGreaterThan(1);
});

test('an appliance that changes its certificate while it starts: what is seen after that is pinned', async () => {
  await opened({
    appliance: {
      boot: [
        { phase: 'refused' },
        { phase: '502', asked: 1 },
        { phase: 'page', asked: 1, changes_certificate: true },
        { phase: '503', asked: 1 },
      ],
    },
  });
  const first = scene.appliance.sha256;
  const job = await scene.run();
  expect(job.error).toBeNull();
  expect(scene.appliance.sha256).not.toBe(first);
  expect(job.result).toMatchObject({ appliance: { sha256: scene.appliance.sha256 } });
  expect(texts(job, 'wait')).toMatch(/status 502[\s\S]*web page[\s\S]*status 503/);
});

test.each(['vc', 'esx'] as const)(
  '%s with all extras: trust and depot, and records that can’t be saved',
  async (mode) => {
    // A host has the properties, with passwords in them, until the appliance answers; whatever is done with that comes later.
    const given: [step: string, there: boolean][] = [];
    const checkpoint = async (step: string) => {
      if (!LOOKED_AT.includes(step)) return;
      given.push([step, Boolean(await scene.vsphere.extraConfig(NAME, 'guestinfo.ovfEnv'))]);
    };
    const account = { username: 'depot', password: DEPOT_PASSWORD };
    await opened({ mode, depot: true, appliance: { depot: { account } }, house: { services: { checkpoint } } });
    PACE.every_ms = 50;
    const { token } = scene;
    await scene.house.send('POST', '/api/v1/dns/zones', { token, body: { name: 'lab.test' } });
    const body = { enabled: true, listen_interfaces: ['ens192'] };
    expect(await scene.house.send('PATCH', '/api/v1/dns-dhcp/settings', { token, body })).toMatchObject({
      status: 200,
    });
    const job = await scene.run({ extras: { dns: true, trust: true, depot: true } });
    expect(job.error).toBeNull();
    expect(given).toEqual(LOOKED_AT.map((step) => [step, mode === 'esx' && step === 'deploy.wait']));
    expect(outline(job)).toMatchObject({
      ...{ clear: mode === 'esx' ? 'succeeded' : 'skipped', trust: 'succeeded', depot: 'succeeded', sync: 'succeeded' },
    });
    // That a record can't be saved, here for an address of loopback, is no reason to fail.
    expect(outline(job)).toMatchObject({ dns: 'skipped' });
    expect(texts(job, 'dns')).toContain('Nothing was saved.');
    expect(job.result).toMatchObject({
      ...{ state: 'succeeded-with-warnings', depot: 'configured' },
      warnings: [expect.stringContaining('Nothing was saved.')],
    });
    // Once more, to an appliance that has it all.
    const again = await scene.run({ name: 'sddc02', extras: { dns: true, trust: true, depot: true } });
    expect(again.error).toBeNull();
    expect(outline(again)).toMatchObject({ trust: 'succeeded', depot: 'succeeded', sync: 'skipped' });
    expect(again.result).toMatchObject({ trust: 'It trusts the root certificate already.', depot: 'no-op' });
  },
);

test('records are saved while the name service is off, and nobody is told that all of it was done', async () => {
  await opened();
  const { house, token } = scene;
  await house.send('POST', '/api/v1/dns/zones', { token, body: { name: 'lab.test' } });
  const properties = { ...sddcManagerAnswers(), 'vami.ip0.SDDC-Manager': '10.20.0.15' };
  const { id } = await scene.run({ power_on: false, properties, extras: { dns: true, trust: false, depot: false } });
  const { body } = await house.send('GET', `/api/v1/jobs/${id}`, { token });
  const first = /^Saved, not in force: the name service is off\. sddc01\.lab\.test A 10\.20\.0\.15\./;
  const said = expect.stringMatching(first);
  expect(body.result).toMatchObject({ state: 'deployed-powered-off', dns: said, warnings: [said] });
  const task = body.tasks.find(({ name }: { name: string }) => name === 'dns');
  expect(task).toMatchObject({ state: 'succeeded', log: [{ text: said, warning: true }] });
  const { items } = (await house.send('GET', '/api/v1/dns/records?fqdn=sddc01.lab.test', { token })).body;
  expect(items).toMatchObject([{ type: 'A', value: '10.20.0.15', owner: { component: 'sddcm' } }]);
  const session = await house.actor('admin');
  for (const page of [`/ui/management/vcf-helper/sddc-manager/tasks/${id}`, `/ui/management/jobs/${id}`]) {
    const words = (await house.send('GET', page, { session })).text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(words).toMatch(/State Succeeded with warnings Outcome Saved, not in force: the name service is off\./);
  }
  const list = (await house.send('GET', '/ui/management/jobs', { session })).text;
  expect(list).toContain('Succeeded with warnings');
});

test('a stored login is opened when the job logs in, and its use recorded', async () => {
  await opened();
  const admin = await scene.house.actor('admin', undefined, 'grace');
  const { vault_id, choice_id } = await stored(scene.house, admin, scene.vsphere as never, 'lab');
  const { request, secret_values } = await scene.request();
  const before = await scene.house.lastAudit();
  const named = { request: { ...request, stored: { vault_id, choice_id } }, secret_values };
  const id = await queueWith(scene.services, named, null, 'grace');
  await scene.house.appliance.runner.idle();
  expect(await scene.ended(id)).toMatchObject({ state: 'succeeded', error: null });
  const audited = await scene.house.audited(before);
  expect(audited.filter((action) => /^vault/.test(action)).length).toBeGreaterThan(0);
  expect(audited.at(-1)).toBe('vcf-helper.deployment.end');
});

test('left switched off, it is deployed and nothing more', async () => {
  await opened();
  const job = await scene.run({ power_on: false });
  expect(job.result).toMatchObject({ state: 'deployed-powered-off', machine: { power: 'off' }, appliance: null });
  expect(outline(job)).toMatchObject({ 'power-on': 'skipped', wait: 'skipped', trust: 'skipped' });
});

test('a name that was taken since the review is refused, and nothing is created', async () => {
  await opened();
  const id = await scene.queue();
  await scene.vsphere.addMachine('SDDC01');
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error).toMatchObject({ error_code: 'vm_name_taken' });
  expect(scene.vsphere.leases).toEqual([]);
  expect(deploymentView(job)).toMatchObject({ state: 'failed', machine: null });
});

test('two deployments of one name at one target: the second is refused with 423', async () => {
  await opened();
  const first = await scene.queue();
  await expect(scene.queue()).rejects.toMatchObject({ code: 'mutation_locked', status: 423 });
  await scene.house.appliance.runner.idle();
  expect((await scene.ended(first)).state).toBe('succeeded');
  await scene.queue({ name: 'sddc02' });
});

test('an appliance that never answers fails truthfully, and goes on when it does', async () => {
  await opened({ shell: { wait_seconds: 1 }, vsphere: { boot: async () => undefined } });
  const id = await scene.queue();
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error).toMatchObject({ error_code: 'remote_timeout' });
  expect(job.error?.detail).toContain(`The virtual machine ${NAME} exists on LocalDS_0 of DC0_H0, switched on`);
  expect(deploymentView(job)).toMatchObject({ state: 'partial-failure', vm_preserved: true });
  expect(await scene.vsphere.machines()).toContain(NAME);
  await scene.appliance.nextPhase();
  const { continueJob } = await import('../../shared/appliance/continued-jobs.ts');
  const actor = { scopes: new Set(['write:depot']), role: 'admin' } as never;
  await scene.services.store.write((tx) => continueJob(tx, actor, id, {}));
  await scene.house.appliance.runner.idle();
  expect((await scene.ended(id)).state).toBe('succeeded');
  expect(scene.vsphere.leases).toHaveLength(1);
});

const silent = async (server: string, questions: readonly string[]) =>
  questions.map((question) => ({ server, question, rcode: null, answers: [], error: 'no answer in time' }));

test('the pre-flight looks at all of it', async () => {
  await opened({ vsphere: { clock_skew_ms: 90_000 } });
  const { request, secret_values } = await scene.request({ extras: { dns: false, trust: true, depot: true } });
  const typed = { login: scene.vsphere.account, properties: secret_values, depot_password: 'x' };
  const questions = { ...deploymentShell(scene.services).questions, dns: silent, time: async () => [] };
  const { checks, passed } = await preflight(scene.services, request, typed, { questions });
  expect(passed).toBe(false);
  const states = Object.fromEntries(checks.map(({ id, state }) => [id, state]));
  expect(states).toMatchObject({
    ...{ ova: 'ok', target: 'ok', clock: 'warning', name: 'ok', host: 'ok', networks: 'ok', properties: 'ok' },
    'upload-host': 'ok',
    ...{ dns: 'warning', 'address-free': 'ok', 'trust-extra': 'refused', 'depot-extra enabled': 'refused' },
  });
  const wrong = { ...typed, login: { ...scene.vsphere.account, password: 'wrong' } };
  const refused = await preflight(scene.services, request, wrong, { questions });
  expect(refused.checks.find(({ id }) => id === 'target')).toMatchObject({ state: 'refused' });
  expect(JSON.stringify(refused)).not.toContain('wrong');
});
