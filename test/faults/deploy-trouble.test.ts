// A target that misbehaves while a machine is imported: whatever it does, the lease is ended, or it is said that it could
// not be; nothing else is deleted.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { continueJob } from '../../shared/appliance/continued-jobs.ts';
import { cancelJob } from '../../shared/kernel/jobs/job.ts';
import { Life } from '../../shared/kernel/jobs/life.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { deploymentView } from '../../shared/vcf/deployment/view.ts';
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import { DeployScene, NAME, outline, type SceneOptions } from '../deployment/deploy-scene.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import { sddcManagerAnswers } from '../setup/make-ova.ts';
import { until } from '../setup/until.ts';

jest.setTimeout(300_000);

let scene: DeployScene;
afterEach(() => scene?.close());
const opened = async (options: SceneOptions = {}) => {
  scene = await DeployScene.open(options);
  return scene;
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const said = (job: { tasks: { log: { text: string }[] }[] }): string =>
  job.tasks.flatMap(({ log }) => log.map(({ text }) => text)).join('\n');
async function keptOf(id: string): Promise<unknown> {
  const row = await scene.services.store.one<{ kept: string }>('SELECT kept FROM job WHERE id = ?', [id]);
  return JSON.parse(row!.kept);
}
const arriving = () => scene.vsphere.uploads.some(({ bytes }) => bytes > 0);

/** After a failure before the import was complete: nothing is left there. */
async function nothingLeft(): Promise<void> {
  await until(async () => !(await scene.vsphere.machines()).includes(NAME));
  expect(scene.vsphere.leases.every(({ state }) => state === 'gone' || state === 'error')).toBe(true);
  expect(scene.vsphere.sessions()).toEqual([]);
}

describe.each(['vc', 'esx'] as const)('%s', (mode) => {
  test.each([0, 0.3, 0.99])('an upload that is reset at %d of its bytes', async (at) => {
    await opened({ mode, vsphere: { upload_break: { how: 'reset', at } } });
    const job = await scene.run();
    expect(job.error).toMatchObject({ error_code: 'remote_unreachable' });
    expect(job.error?.detail).toContain('The lease was ended: nothing of the import is left.');
    await nothingLeft();
  });

  test('an upload that stalls: the lease hears of it all the time, until nothing has moved for too long', async () => {
    await opened({
      mode,
      vsphere: { upload_break: { how: 'stall', at: 0.5 } },
      shell: { upload_idle_ms: 3000, progress_ms: 500 },
    });
    const stalls = monitorEventLoopDelay({ resolution: 10 });
    stalls.enable();
    const job = await scene.run();
    stalls.disable();
    expect(job.error).toMatchObject({ error_code: 'remote_timeout' });
    const times = scene.vsphere.progress.map((one) => one.at);
    const gaps = times.slice(1).map((time, n) => time - times[n]!);
    expect(times.length).toBeGreaterThan(5);
    // 500 ms here stand for the 5 s of a real one, which may never be more than 10 s. What this process itself was kept
    // from running, on its way out and in, is the machine's.
    expect(Math.max(...gaps)).toBeLessThan(1000 + (2 * stalls.max) / 1e6);
    const percents = scene.vsphere.progress.map(({ percent }) => percent);
    expect(percents.at(-1)).toBeGreaterThan(5);
    expect(percents.at(-1)).toBeLessThan(60);
    await nothingLeft();
  });

  test('a lease that the target ends', async () => {
    await opened({ mode, vsphere: { upload_rate: 2_000_000 } });
    const id = await scene.queue();
    scene.house.appliance.runner.wake();
    await until(arriving);
    await scene.vsphere.expireLease();
    await scene.house.appliance.runner.idle();
    const job = await scene.ended(id);
    expect(job).toMatchObject({ state: 'failed', error: { error_code: 'remote_refused' } });
    expect(deploymentView(job)).toMatchObject({ state: 'failed', machine: null, vm_preserved: false });
    await nothingLeft();
  });

  test('a datastore that is full', async () => {
    await opened({ mode, vsphere: { upload_status: 507 } });
    const job = await scene.run();
    expect(job.error?.detail).toMatch(/too little space|did not take the file \(status 507\)/);
    await nothingLeft();
  });

  test('a cancellation while disks are sent', async () => {
    await opened({ mode, vsphere: { upload_rate: 2_000_000 } });
    const id = await scene.queue();
    scene.house.appliance.runner.wake();
    await until(arriving);
    await scene.services.store.write((tx) => cancelJob(tx, id));
    await scene.house.appliance.runner.idle();
    const job = await scene.ended(id);
    expect(job.state).toBe('cancelled');
    expect(said(job)).toContain('The lease was ended: nothing of the import is left.');
    await nothingLeft();
  });
});

test('a certificate of the API that changes: nothing more is said to it, and that is told', async () => {
  await opened({ vsphere: { upload_rate: 2_000_000 } });
  const id = await scene.queue();
  scene.house.appliance.runner.wake();
  await until(arriving);
  const before = scene.vsphere.calls.length;
  scene.vsphere.changeCertificate('api', true);
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error).toMatchObject({ error_code: 'certificate_changed' });
  expect(job.error?.detail).toContain('may still be open');
  expect(scene.vsphere.calls.length - before).toBeLessThan(3);
});

test('a host for the disks with another certificate than the lease names: it gets nothing', async () => {
  await opened();
  scene.vsphere.changeCertificate('uploads');
  scene.vsphere.behaviour.thumbprint = 'wrong';
  const job = await scene.run();
  expect(job.error?.detail).toContain('Nothing was sent to it.');
  expect(scene.vsphere.uploads).toEqual([]);
  await nothingLeft();
});

test('a host that changes its certificate between two disks: the second gets nowhere', async () => {
  await opened({ vsphere: { upload_rate: 6_000_000 } });
  const id = await scene.queue();
  scene.house.appliance.runner.wake();
  await until(arriving);
  scene.vsphere.changeCertificate('uploads');
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error?.detail).toContain('Nothing was sent to it.');
  expect(scene.vsphere.uploads).toHaveLength(1);
  await nothingLeft();
});

test.each([
  ['CreateImportSpec', 'InvalidArgument'],
  ['ImportVApp', 'NoPermission'],
  ['ImportVApp', 'DuplicateName'],
])('a refused %s (%s) leaves nothing', async (method, type) => {
  await opened({ vsphere: { faults: [{ method, type, message: 'no' }] } });
  const job = await scene.run();
  expect(job.state).toBe('failed');
  expect(job.error?.detail).not.toContain('may still be open');
  expect(scene.vsphere.leases).toEqual([]);
  await nothingLeft();
});

test('an import whose answer is lost: the machine that appeared is told, and not touched', async () => {
  await opened({ vsphere: { faults: [{ method: 'ImportVApp', cut: true, times: 1 }] } });
  const job = await scene.run();
  expect(job.state).toBe('failed');
  expect(job.error?.detail).toContain(`there is a virtual machine named ${NAME}`);
  expect(job.error?.detail).toContain('may still be open');
  expect(await scene.vsphere.machines()).toContain(NAME);
  expect(await keptOf(job.id)).toMatchObject({ importing: expect.any(String), given_up: expect.any(String) });
});

test('an import of an earlier run that no answer came to is waited for, also while nothing of it shows', async () => {
  await opened();
  const id = await scene.queue();
  const given_up = new Date().toISOString();
  const kept = JSON.stringify({ importing: given_up, lease: null, making: null, given_up });
  await scene.services.store.write((tx) => tx.run('UPDATE job SET kept = ? WHERE id = ?', [kept, id]));
  const began = performance.now();
  scene.house.appliance.runner.wake();
  await pause(500);
  await scene.vsphere.addMachine(NAME);
  await scene.house.appliance.runner.idle();
  // Two seconds of a lease, and one for doing it.
  expect(performance.now() - began).toBeGreaterThan(2500);
  const job = await scene.ended(id);
  expect(job.error).toMatchObject({ error_code: 'vm_name_taken' });
  expect(job.error?.detail).toContain('It was not touched.');
  expect(scene.vsphere.leases).toEqual([]);
});

test('a password that is typed again for a machine of a host is held against the OVF before it gets it', async () => {
  await opened({ mode: 'esx', vsphere: { faults: [{ method: 'ReconfigVM_Task', type: 'SystemError', times: 1 }] } });
  const id = await scene.queue();
  await scene.house.appliance.runner.idle();
  const wrong = { ...scene.vsphere.account, 'property:ROOT_PASSWORD': 'x', 'property:LOCAL_USER_PASSWORD': 'x' };
  const actor = { scopes: new Set(['write:depot']), role: 'admin' } as never;
  const { typed } = await scene.services.store.write((tx) => continueJob(tx, actor, id, wrong));
  jobSecrets(scene.services).put(id, typed);
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error).toMatchObject({ error_code: 'remote_credential_gone' });
  expect(job.error?.detail).toContain('ROOT_PASSWORD: Enter at least');
  expect(await scene.vsphere.extraConfig(NAME, 'guestinfo.ovfEnv')).toBeFalsy();
  // What the steps that are left need of the OVF is there, and nothing secret of it.
  expect(await keptOf(id)).toMatchObject({ descriptor: { whole: expect.any(Boolean) } });
});

test('a completion whose answer is lost is one all the same', async () => {
  await opened({ vsphere: { faults: [{ method: 'HttpNfcLeaseComplete', cut: true, times: 1 }] } });
  expect((await scene.run()).state).toBe('succeeded');
});

test('a lease that fails instead of becoming ready', async () => {
  await opened({ vsphere: { lease_error: { type: 'InsufficientResourcesFault', message: 'no memory' } } });
  const job = await scene.run();
  expect(job.error?.detail).toContain('too few resources');
  await nothingLeft();
});

test('a machine that can not be switched on stays, and is told', async () => {
  const fault = { method: 'PowerOnVM_Task', type: 'InsufficientMemoryResourcesFault', message: 'no', in_task: true };
  await opened({ vsphere: { faults: [fault] } });
  const id = await scene.queue();
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error?.detail).toContain(`The virtual machine ${NAME} exists on LocalDS_0 of DC0_H0, switched off`);
  expect(deploymentView(job)).toMatchObject({ state: 'partial-failure', machine: { power: 'off' } });
  expect(await scene.vsphere.machines()).toContain(NAME);
});

test('a switch whose answer is lost: it may be on, and that is what is said', async () => {
  await opened({ vsphere: { faults: [{ method: 'PowerOnVM_Task', cut: true, times: 1 }] } });
  const id = await scene.queue();
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.error?.detail).toContain('and may be switched on; nothing of it was deleted');
  expect(deploymentView(job)).toMatchObject({ state: 'partial-failure', machine: { power: 'unknown' } });
});

test('a password of the depot that is typed again is checked before it is sent; a synchronisation that failed starts anew', async () => {
  const sync = { states: ['SYNCING', 'SYNC_FAILED'] };
  const depot = { account: { username: 'depot', password: DEPOT_PASSWORD }, sync };
  await opened({ depot: true, appliance: { depot } });
  const asked = (method: string, path: RegExp) =>
    scene.appliance.requests.filter((one) => one.method === method && path.test(one.path)).length;
  const again = async (depot_password?: string) => {
    const { LOCAL_USER_PASSWORD } = sddcManagerAnswers();
    const secrets = { 'property:LOCAL_USER_PASSWORD': LOCAL_USER_PASSWORD!, ...(depot_password && { depot_password }) };
    const actor = { scopes: new Set(['write:depot']), role: 'admin' } as never;
    const { typed } = await scene.services.store.write((tx) => continueJob(tx, actor, id, secrets));
    jobSecrets(scene.services).put(id, typed);
    await scene.house.appliance.runner.idle();
    return scene.ended(id);
  };
  const every = PACE.every_ms;
  PACE.every_ms = 20;
  const fault = { method: 'PUT', path: /settings\/depot$/, times: 1, answer: { status: 400, body: '{}' } };
  scene.appliance.faults.push(fault);
  const id = await scene.queue({ extras: { dns: false, trust: false, depot: true } });
  await scene.house.appliance.runner.idle();
  expect((await scene.ended(id)).error).toMatchObject({ error_code: 'remote_refused' });
  const puts = asked('PUT', /settings\/depot$/);
  expect((await again('a wrong one')).error).toMatchObject({ error_code: 'remote_credential_gone' });
  expect(asked('PUT', /settings\/depot$/)).toBe(puts);
  expect((await again(DEPOT_PASSWORD)).error?.detail).toContain('could not synchronise');
  sync.states = ['SYNCING', 'SYNCED'];
  const last = await again();
  PACE.every_ms = every;
  expect([last.state, last.error]).toEqual(['succeeded', null]);
  expect(asked('PATCH', /depot-sync-info$/)).toBe(2);
});

test('a cancellation while it is waited for: the machine stays, and the log says so', async () => {
  await opened({ vsphere: { boot: async () => undefined } });
  const id = await scene.queue();
  scene.house.appliance.runner.wake();
  await until(async () => outline(await scene.ended(id)).wait === 'running');
  await scene.services.store.write((tx) => cancelJob(tx, id));
  await scene.house.appliance.runner.idle();
  const job = await scene.ended(id);
  expect(job.state).toBe('cancelled');
  expect(said(job)).toContain(`The virtual machine ${NAME} exists`);
  expect(await scene.vsphere.machines()).toContain(NAME);
});

test.each<[string, NonNullable<SceneOptions['ova']>, RegExp]>([
  [
    'is not what its manifest says',
    {
      manifest_line: (kind, name, hex) =>
        `${kind}(${name})= ${name.endsWith('.vmdk') ? hex.replace(/^../, 'ee') : hex}\n`,
    },
    /disk1\.vmdk/,
  ],
  [
    'unpacks to more than its disk holds',
    {
      disks: [
        { bytes: gzipSync(Buffer.alloc(80 << 20)), compression: 'gzip', capacity: '1', units: 'byte * 2^20' },
        { size: 1000 },
      ],
    },
    /unpacks to far more than its disk can hold/,
  ],
])('an OVA that %s is refused before anybody is asked for anything', async (_name, ova, why) => {
  await opened({ ova });
  const before = scene.vsphere.calls.length;
  const job = await scene.run();
  expect(job.error).toMatchObject({ error_code: 'ova_refused', detail: expect.stringMatching(why) });
  const { calls, leases, uploads } = scene.vsphere;
  expect([calls.slice(before), leases, uploads]).toEqual([[], [], []]);
});

test('a service that stops meanwhile ends the lease first; the next start asks for what is gone', async () => {
  await opened({ vsphere: { upload_rate: 2_000_000 } });
  const id = await scene.queue();
  scene.house.appliance.runner.wake();
  await until(arriving);
  await scene.house.appliance.runner.stop();
  await nothingLeft();
  expect((await scene.ended(id)).state).toBe('running');
});

const BEFORE = ['verify', 'verified', 'spec', 'lease', 'importing', 'imported', 'leased', 'upload', 'sent', 'complete'];
const AFTER = ['completing', 'completed', 'environment', 'environment-set', 'power-on', 'powered', 'wait'];

test.each([...BEFORE, ...AFTER])(
  'cancelled at %s: nothing is left, or the machine and the word of it',
  async (name) => {
    let id = '';
    const checkpoint = async (step: string) => {
      if (step === `deploy.${name}`) await scene.services.store.write((tx) => cancelJob(tx, id));
    };
    await opened({ mode: 'esx', house: { services: { checkpoint } } });
    id = await scene.queue();
    await scene.house.appliance.runner.idle();
    const job = await scene.ended(id);
    expect(job).toMatchObject({ state: 'cancelled', error: null });
    if (BEFORE.includes(name)) {
      await nothingLeft();
      expect(deploymentView(job)).toMatchObject({ machine: null, vm_preserved: false });
    } else {
      expect(await scene.vsphere.machines()).toContain(NAME);
      expect(said(job)).toContain(`The virtual machine ${NAME} exists`);
      expect(deploymentView(job)).toMatchObject({ vm_preserved: true });
    }
    expect(await scene.services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  },
);

/** From the first answer of the appliance on, the last places before each change of it among them. */
const RUNNING = [
  ...['deploy.ready', 'deploy.clear', 'deploy.dns', 'deploy.dns-saved', 'deploy.trust', 'deploy.trusted'],
  ...['deploy.depot', 'remote-depot.put', 'remote-depot.sync'],
];

test('cancelled at each step with the appliance: the machine stays, and the appliance hears nothing more of it', async () => {
  const { cancel } = Life.prototype;
  const every = PACE.every_ms;
  let [at, id, heard] = ['', '', 0];
  const checkpoint = async (step: string) => {
    if (step !== at) return;
    const reached = Promise.withResolvers<void>();
    Life.prototype.cancel = function () {
      cancel.call(this);
      reached.resolve();
    };
    await scene.services.store.write((tx) => cancelJob(tx, id));
    scene.house.appliance.runner.wake();
    await reached.promise;
    heard = scene.appliance.requests.length;
  };
  const account = { username: 'depot', password: DEPOT_PASSWORD };
  await opened({
    ...{ mode: 'esx', depot: true, ova: { disks: [{ size: 1 << 20 }] } },
    ...{ appliance: { depot: { account } }, house: { services: { checkpoint } } },
  });
  PACE.every_ms = 20;
  try {
    for (const [n, step] of RUNNING.entries()) {
      [at, heard] = [step, -1];
      const name = `sddc1${n}`;
      id = await scene.queue({ name, extras: { dns: true, trust: true, depot: true } });
      await scene.house.appliance.runner.idle();
      const job = await scene.ended(id);
      const after = scene.appliance.requests.slice(heard).map(({ method, path }) => `${method} ${path}`);
      const locks = await scene.services.store.all('SELECT * FROM mutation_lock');
      const seen = {
        step,
        reached: heard >= 0,
        state: job.state,
        after: after.filter((one) => one !== GOODBYE),
        locks,
      };
      expect(seen).toEqual({ step, reached: true, state: 'cancelled', after: [], locks: [] });
      expect(await scene.vsphere.machines()).toContain(name);
      expect(said(job)).toContain(`The virtual machine ${name} exists`);
      // Until they are taken out of its settings, that they are there is told as well.
      expect([step, said(job).includes('still have the OVF properties')]).toEqual([step, n < 2]);
      expect(deploymentView(job)).toMatchObject({ vm_preserved: true });
    }
  } finally {
    Life.prototype.cancel = cancel;
    PACE.every_ms = every;
  }
}, 300_000);

const GOODBYE = 'DELETE /v1/tokens/refresh-token';
