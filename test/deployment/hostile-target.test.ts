// What a target does that means harm, or is only unlucky: what is said of it stays true, what is asked to stop stops, and
// what it repeats of a password is shown nowhere.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { continuationOf, continueJob } from '../../shared/appliance/continued-jobs.ts';
import { cancelJob, findJob } from '../../shared/kernel/jobs/job.ts';
import { JobRun } from '../../shared/kernel/jobs/run.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { applianceFolder } from '../../shared/services/offline-depot/store.ts';
import { until } from '../setup/until.ts';
import { queueWith } from './deploy-request.ts';
import { DeployScene, FILE, NAME, type SceneOptions } from './deploy-scene.ts';

jest.setTimeout(300_000);

let scene: DeployScene;
afterEach(() => scene?.close());
const opened = async (options: SceneOptions = {}) => {
  scene = await DeployScene.open(options);
};
const soap = (method: string, inside: string) =>
  [
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"',
    ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body><${method}Response>${inside}</${method}Response>`,
    '</s:Body></s:Envelope>',
  ].join('');
const logOf = (job: { tasks: { log: { text: string }[] }[] }) => job.tasks.flatMap(({ log }) => log.map((l) => l.text));

async function goOn(id: string, answers: Record<string, string> = {}) {
  const { store } = scene.services;
  const asks = await continuationOf(store, await findJob(store, id));
  if (!asks) return { asked: null, job: await findJob(store, id) };
  const properties = Object.entries(scene.typed().properties).map(([key, value]) => [`property:${key}`, value]);
  const known: Record<string, string> = { ...scene.vsphere.account, ...Object.fromEntries(properties), ...answers };
  const asked = asks.fields.map(({ name }) => name);
  const actor = { scopes: new Set(['write:depot']), role: 'admin' } as never;
  const given = Object.fromEntries(asked.map((name) => [name, known[name] ?? '']));
  const { typed } = await store.write((tx) => continueJob(tx, actor, id, given));
  jobSecrets(scene.services).put(id, typed);
  await scene.house.appliance.runner.idle();
  return { asked, job: await findJob(store, id) };
}

test('a wrong login, typed while an import of an earlier run may be open, does not make it forgotten', async () => {
  await opened();
  const wrong = { username: scene.vsphere.account.username, password: 'not-the-password' };
  const id = await queueWith(scene.services, await scene.request(), wrong);
  const kept = JSON.stringify({ importing: new Date().toISOString(), lease: null, making: null });
  await scene.services.store.write((tx) => tx.run('UPDATE job SET kept = ? WHERE id = ?', [kept, id]));
  await scene.vsphere.addMachine(NAME);
  await scene.house.appliance.runner.idle();
  const { error } = await findJob(scene.services.store, id);
  expect(error?.error_code).toBe('remote_login_refused');
  expect(error?.detail).toContain('may still be open');
  const row = await scene.services.store.one<{ kept: string }>('SELECT kept FROM job WHERE id = ?', [id]);
  expect(JSON.parse(row!.kept).importing).not.toBeNull();
});

test('an import that no answer came to may show later: nobody is told that nothing is left', async () => {
  await opened({ vsphere: { faults: [{ method: 'ImportVApp', raw: { status: 504, body: '' }, times: 1 }] } });
  const { error } = await scene.run();
  expect(error?.detail).not.toContain('Nothing of the import is left');
});

test('200 before the disk was taken is no disk', async () => {
  await opened({ vsphere: { upload_status: 200 }, ova: { disks: [{ size: 80_000_000 }] } });
  const job = await scene.run();
  expect(scene.vsphere.uploads.map(({ bytes }) => bytes)).toEqual([0]);
  expect(logOf(job).join('\n')).not.toMatch(/bytes were sent|each byte was sent/);
  expect(job.error?.detail).not.toContain('complete the import');
});

test('thousands of warnings: few are told, and a wish to stop is heard', async () => {
  const many = '<warning><localizedMessage>x</localizedMessage></warning>'.repeat(3000);
  const body = soap('CreateImportSpec', `<returnval><importSpec xsi:type="X"/>${many}</returnval>`);
  await opened({ vsphere: { faults: [{ method: 'CreateImportSpec', raw: { status: 200, body } }] } });
  const job = await scene.run();
  expect(logOf(job).length).toBeLessThan(100);
  const { say } = JobRun.prototype;
  const told = jest.spyOn(JobRun.prototype, 'say').mockImplementation(async function (this: JobRun, ...given) {
    await say.apply(this, given);
    if (!given[1].startsWith('The target warns')) return;
    await scene.services.store.write((tx) => cancelJob(tx, this.id));
    this.cancel();
  });
  try {
    const stopped = await scene.run();
    expect(stopped.state).toBe('cancelled');
    expect(logOf(stopped).filter((text) => text.startsWith('The target warns'))).toHaveLength(1);
  } finally {
    told.mockRestore();
  }
});

test('an inventory that never ends does not keep a job from stopping', async () => {
  await opened();
  const id = await scene.queue();
  scene.vsphere.behaviour.page_size = 1;
  const body = soap('ContinueRetrievePropertiesEx', '<returnval><token>again</token></returnval>');
  scene.vsphere.behaviour.faults = [{ method: 'ContinueRetrievePropertiesEx', raw: { status: 200, body } }];
  scene.house.appliance.runner.wake();
  const pages = () => scene.vsphere.calls.filter(({ method }) => method === 'ContinueRetrievePropertiesEx').length;
  // Long before it would be given up by itself.
  await until(() => pages() >= 20);
  await scene.services.store.write((tx) => cancelJob(tx, id));
  await scene.house.appliance.runner.idle();
  expect((await findJob(scene.services.store, id)).state).toBe('cancelled');
});

test('an address of DHCP: what is asked for to go on is enough to go on', async () => {
  await opened({ vsphere: { boot: async () => undefined }, shell: { wait_seconds: 1 } });
  const all = Object.entries(scene.typed().properties);
  const properties = Object.fromEntries(all.map(([key, value]) => [key, /ip0|netmask|gateway/.test(key) ? '' : value]));
  const id = await scene.queue({ properties });
  await scene.house.appliance.runner.idle();
  const { asked, job } = await goOn(id);
  expect(asked).toEqual(expect.arrayContaining(['username', 'password']));
  expect(job.error?.error_code).toBe('remote_timeout');
});

test('an OVA that left the depot meanwhile does not end what a machine still needs', async () => {
  await opened({ mode: 'esx', vsphere: { boot: async () => undefined }, shell: { wait_seconds: 1 } });
  const id = await scene.queue();
  await scene.house.appliance.runner.idle();
  rmSync(join(applianceFolder(scene.services.host), FILE));
  await goOn(id);
  const job = await findJob(scene.services.store, id);
  expect(job.error?.error_code).toBe('remote_timeout');
  expect(await continuationOf(scene.services.store, job)).not.toBeNull();
});

test('a value that is typed again is held against the OVF as the first one was', async () => {
  await opened();
  const id = await queueWith(scene.services, await scene.request(), null);
  await scene.house.appliance.runner.idle();
  const { job } = await goOn(id, { 'property:ROOT_PASSWORD': 'x' });
  expect(scene.vsphere.imports).toEqual([]);
  expect(job.state).toBe('failed');
});
