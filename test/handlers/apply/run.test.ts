// The reviewed apply from the first look to the end of its job, in rehearsal, and everything that can come in between.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { findPlan, readJournal } from '../../../shared/appliance/apply/plan-store.ts';
import { JOB_KINDS } from '../../../shared/appliance/job-kinds.ts';
import { enforcedStandings, pendingOf } from '../../../shared/appliance/states/standing.ts';
import type { Host } from '../../../shared/ground/machine/host.ts';
import { findJob, type Job } from '../../../shared/kernel/jobs/job.ts';
import { RESUMES_MOST } from '../../../shared/kernel/jobs/lease.ts';
import { JobRunner } from '../../../shared/kernel/jobs/runner.ts';
import type { Services } from '../../../shared/kernel/operation/services.ts';
import { unitStates } from '../../../shared/platform/applied/unit-state.ts';
import { READER_DONE } from '../../../shared/platform/host/networkd.ts';
import { type Credentials, type Heard, House, type HouseOptions, LINKS } from '../../setup/house.ts';

const PATH = '/ui/management/appliance-apply';

let house: House;
let admin: Credentials;
let release: (() => void) | undefined;

afterEach(async () => {
  globalThis.performance = clock;
  release?.();
  release = undefined;
  await house.close();
});

async function open(options: HouseOptions = {}): Promise<void> {
  house = await House.open(options);
  admin = await house.actor('admin', undefined, 'alice');
}

/** What somebody saved: MTU of the management link, a zone with a record, the name service. */
const EDITS: Record<string, string> = {
  mtu: "UPDATE interface SET mtu = 9000 WHERE name = 'ens192'",
  'mtu back': "UPDATE interface SET mtu = 1500 WHERE name = 'ens192'",
  zone: "INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', '', '')",
  listener: `INSERT INTO unit_settings (unit, document, updated_at)
    VALUES ('dns-dhcp', '{"enabled":true,"listen_interfaces":["ens192"]}', '')`,
  'missing listener': `INSERT INTO unit_settings (unit, document, updated_at)
    VALUES ('dns-dhcp', '{"enabled":true,"listen_interfaces":["ens999"]}', '')`,
};

async function save(...edits: (keyof typeof EDITS)[]): Promise<void> {
  await house.services.store.write(async (tx) => {
    for (const edit of edits) await tx.run(EDITS[edit]!);
  });
}

const post = (path: string, form: Record<string, string> = {}, as = admin): Promise<Heard> =>
  house.send('POST', path, { session: as, form });
const look = (path: string, as = admin): Promise<Heard> => house.send('GET', path, { session: as });

/** Posts "Review changes" and answers the new plan's id. */
async function review(): Promise<string> {
  const answer = await post(PATH);
  expect({ status: answer.status, location: answer.headers.location }).toEqual({
    status: 303,
    location: expect.stringMatching(/^\/ui\/management\/appliance-apply\/plan_\w+$/),
  });
  return answer.headers.location!.slice(PATH.length + 1);
}

/** Submits with the digest that the page carries. */
async function submit(plan: string, note = ''): Promise<Heard> {
  const { text } = await look(`${PATH}/${plan}`);
  const digest = /name="digest" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
  return post(`${PATH}/${plan}/submit`, { digest, note });
}

async function applyAll(): Promise<string> {
  const plan = await review();
  expect((await submit(plan)).status).toBe(303);
  await house.appliance.runner.idle();
  return plan;
}

/** The units that the edits here are about, of whatever has their names; others that an apply enforces go along. */
const CONCERNED: readonly string[] = ['prepare', 'network', 'dns-dhcp'];
const concerned = <T>(all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([id]) => CONCERNED.includes(id)));

const pending = async (): Promise<string[]> =>
  pendingOf(await enforcedStandings(house.services))
    .map(({ id }) => id as string)
    .filter((id) => CONCERNED.includes(id));
const journalOf = async (plan: string) => concerned(await readJournal(house.services.store, plan));
const tasksOf = ({ tasks }: Job) =>
  tasks.map(({ name, state }) => [name, state]).filter(([name]) => CONCERNED.includes(name!));

/** Every file in force, by its path below the rehearsal's root. */
function filesInForce(): Record<string, string> {
  const root = join(house.data, 'host', 'rehearsal');
  if (!existsSync(root)) return {};
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'base64')]),
  );
}

/** Milliseconds that the clock of the machine is ahead of the real one. */
let ahead = 0;
const { performance: clock } = globalThis;

/**
 * The rehearsal host, made to enforce: links stay as they are whatever is asked of them, and each program that is run
 * takes half a second by the machine's clock, so that nobody waits for the end of anybody's patience.
 */
const stubborn = (rehearsal: Host): Host => ({
  ...rehearsal,
  kind: 'namespace',
  label: 'Namespace test',
  enforces: true,
  links: async () => LINKS,
  exec: async (program) => {
    ahead += 500;
    return { code: 0, stdout: program === 'unshare' ? `${READER_DONE}\n` : '', stderr: '' };
  },
});

/** Stops the run at a step until `release` is called; `release` lets it fail there. */
function stopAt(services: Services, step: string): Promise<void> {
  return new Promise((reached) => {
    services.checkpoint = (named) => {
      if (named !== step) return;
      reached();
      return new Promise<void>((_resolve, reject) => {
        release = () => reject(new Error('The test is over.'));
      });
    };
  });
}

test('an apply goes from the review over the job to the baseline', async () => {
  await open();
  await save('listener', 'zone');
  expect(await pending()).toEqual(['network', 'dns-dhcp']);
  const before = await house.lastAudit();
  const plan = await review();
  const submitted = await submit(plan, 'First flight');
  expect({ status: submitted.status, location: submitted.headers.location }).toEqual({
    status: 303,
    location: `${PATH}/${plan}`,
  });
  await house.appliance.runner.idle();
  const { store } = house.services;
  const stored = await findPlan(store, plan);
  expect(stored).toMatchObject({ state: 'applied', note: 'First flight', submitted_by: 'alice' });
  const job = await findJob(store, stored.job_id!);
  expect(job).toMatchObject({ state: 'succeeded', progress_percent: 100, subject: plan, created_by: 'alice' });
  expect(tasksOf(job)).toEqual([
    ['prepare', 'succeeded'],
    ['network', 'succeeded'],
    ['dns-dhcp', 'succeeded'],
  ]);
  expect(await journalOf(plan)).toEqual({ network: 'applied', 'dns-dhcp': 'applied' });
  expect(await pending()).toEqual([]);
  const inPlan = (await findPlan(store, plan)).units.map(({ id }) => id);
  expect<string[]>(inPlan).toEqual(['network', 'firewall', 'dns-dhcp']);
  for (const state of (await unitStates(store)).values()) {
    if (!inPlan.includes(state.unit)) continue;
    expect(state).toMatchObject({ plan_id: plan, entries_digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(existsSync(join(house.data, 'apply', 'baselines', state.entries_digest!))).toBe(true);
  }
  expect(Object.keys(filesInForce()).filter((path) => path.includes('/systemd/network/'))).toHaveLength(1);
  expect(await house.audited(before)).toEqual(['plan.create', 'plan.submit', 'apply.succeeded']);
  expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
});

test('a plan whose units changed since is refused and names them', async () => {
  await open();
  await applyAll();
  await save('mtu');
  const plan = await review();
  await save('listener', 'zone');
  await save('mtu back', 'mtu');
  const before = await house.lastAudit();
  const refused = await submit(plan, 'Kept words');
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Network changed after this plan was made');
  expect(refused.text).toContain('Review again');
  expect(refused.text).toContain('Kept words');
  expect(await house.audited(before)).toEqual([]);
  expect((await findPlan(house.services.store, plan)).state).toBe('open');
});

test('a digest other than the reviewed one is refused', async () => {
  await open();
  const plan = await review();
  const refused = await post(`${PATH}/${plan}/submit`, { digest: '0'.repeat(64), note: '' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('The plan changed after this plan was made');
});

test('a unit that fails validation blocks the submit', async () => {
  await open();
  await save('missing listener', 'zone');
  const plan = await review();
  const { text } = await look(`${PATH}/${plan}`);
  expect(text).toContain('DNS and DHCP did not pass validation');
  expect(text).toContain('ens999');
  const refused = await submit(plan);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('DNS and DHCP did not pass validation.');
  expect((await findPlan(house.services.store, plan)).state).toBe('open');
});

test('a failing probe puts the files back byte for byte and leaves the rest out', async () => {
  globalThis.performance = { now: () => clock.now() + ahead } as Performance;
  await open({ host: stubborn });
  await applyAll();
  const files = filesInForce();
  await save('mtu', 'listener', 'zone');
  const plan = await review();
  const before = await house.lastAudit();
  expect((await submit(plan)).status).toBe(303);
  await house.appliance.runner.idle();
  const { store } = house.services;
  const stored = await findPlan(store, plan);
  const job = await findJob(store, stored.job_id!);
  expect(stored.state).toBe('failed');
  expect(tasksOf(job)).toEqual([
    ['prepare', 'succeeded'],
    ['network', 'failed'],
    ['dns-dhcp', 'skipped'],
  ]);
  expect(job.error).toMatchObject({ detail: expect.stringContaining('MTU 1500 instead of 9000') });
  expect(await journalOf(plan)).toEqual({ network: 'restored' });
  expect(filesInForce()).toEqual(files);
  expect(await pending()).toEqual(['network', 'dns-dhcp']);
  expect(await house.audited(before)).toEqual(['plan.submit', 'apply.failed']);
  expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
  const { text } = await look(`${PATH}/${plan}`);
  expect(text).toContain('Network: failed; its previous files are in force again, byte for byte.');
  expect(text).toMatch(/DNS and DHCP.*still saved and pending/s);
});

test.each(['network:swapping', 'network:activate', 'network:baseline', 'dns-dhcp:check'])(
  'a run that stopped at %s goes on elsewhere and ends applied',
  async (step) => {
    await open();
    await save('listener', 'zone');
    const { services } = house;
    const stopped = stopAt(services, step);
    const plan = await review();
    await submit(plan);
    await stopped;
    const { checkpoint: _gone, ...others } = services;
    await services.store.write((tx) => tx.run('UPDATE job SET lease_owner = ?', [`${hostname()}/1/gone`]));
    await new JobRunner(others, JOB_KINDS).idle();
    expect((await findPlan(services.store, plan)).state).toBe('applied');
    expect(await journalOf(plan)).toEqual({ network: 'applied', 'dns-dhcp': 'applied' });
    expect(await pending()).toEqual([]);
    expect(await services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  },
);

test.each<[string, object]>([
  ['prepare', {}],
  ['network:swapping', { network: 'restored' }],
  ['network:baseline', { network: 'restored' }],
  ['dns-dhcp:check', { network: 'applied' }],
  ['dns-dhcp:probe', { network: 'applied', 'dns-dhcp': 'restored' }],
])('one that ended the process at %s too often fails, and leaves no unit in between', async (step, journal) => {
  await open();
  await save('listener', 'zone');
  const { services } = house;
  const stopped = stopAt(services, step);
  const plan = await review();
  await submit(plan);
  await stopped;
  const { checkpoint: _gone, ...others } = services;
  await services.store.write((tx) =>
    tx.run('UPDATE job SET lease_owner = ?, resumes = ?', [`${hostname()}/1/gone`, RESUMES_MOST]),
  );
  await new JobRunner(others, JOB_KINDS).idle();
  expect((await findPlan(services.store, plan)).state).toBe('failed');
  expect(await journalOf(plan)).toEqual(journal);
  expect(await services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  const [job] = await services.store.all<{ state: string; error: string }>('SELECT state, error FROM job');
  expect([job!.state, JSON.parse(job!.error).detail]).toEqual(['failed', expect.stringContaining('got no further')]);
});

test('an apply that was killed between swap and activate and then asked to stop still finishes that unit', async () => {
  await open();
  await save('listener', 'zone');
  const { services } = house;
  const stopped = stopAt(services, 'network:activate');
  const plan = await review();
  await submit(plan);
  await stopped;
  expect((await post(`${PATH}/${plan}/cancel`)).status).toBe(303);
  const { checkpoint: _gone, ...others } = services;
  await services.store.write((tx) => tx.run('UPDATE job SET lease_owner = ?', [`${hostname()}/1/gone`]));
  await new JobRunner(others, JOB_KINDS).idle();
  expect((await findPlan(services.store, plan)).state).toBe('cancelled');
  expect(await journalOf(plan)).toEqual({ network: 'applied' });
  expect(await pending()).toEqual(['dns-dhcp']);
  expect(await services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
});

test('what fails once a unit is recorded as in force does not put it back', async () => {
  await open();
  await save('listener', 'zone');
  const { services } = house;
  services.checkpoint = (step) => {
    if (step === 'network:baseline:done') throw new Error('The log is out of reach.');
  };
  const plan = await review();
  await submit(plan);
  await house.appliance.runner.idle();
  const found = await findPlan(services.store, plan);
  expect(found.state).toBe('failed');
  expect(await journalOf(plan)).toEqual({ network: 'applied' });
  const [file] = found.units.find((unit) => unit.id === 'network')!.written;
  expect(await services.host.read(file!)).not.toBeNull();
  expect(await pending()).toEqual(['dns-dhcp']);
  expect(await services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
});

test('a plan can be submitted once', async () => {
  await open();
  const plan = await review();
  const digest = (await findPlan(house.services.store, plan)).digest;
  await submit(plan);
  await house.appliance.runner.idle();
  const again = await post(`${PATH}/${plan}/submit`, { digest, note: '' });
  expect(again.status).toBe(409);
  expect(again.text).toContain('This plan is applied; only an open plan can be applied.');
});

test('a newer plan replaces the open one', async () => {
  await open();
  const first = await review();
  const second = await review();
  expect((await findPlan(house.services.store, first)).state).toBe('superseded');
  expect((await submit(first)).status).toBe(409);
  expect((await submit(second)).status).toBe(303);
});

test('while an apply runs, mutations answer 423 and name its job', async () => {
  await open();
  const stopped = stopAt(house.services, 'network:check');
  const plan = await review();
  await submit(plan);
  await stopped;
  const job_id = (await findPlan(house.services.store, plan)).job_id;
  const body = { name: 'ci', scopes: ['read:dns'], lifetime: '1d' };
  const api = await house.send('POST', '/api/v1/tokens', { token: admin.token, body });
  expect({ status: api.status, owner: api.body.owner, retry: api.headers['retry-after'] }).toMatchObject({
    status: 423,
    owner: { job_id, since: expect.stringMatching(/Z$/) },
    retry: expect.stringMatching(/^\d+$/),
  });
  const form = await post(PATH);
  expect(form.status).toBe(423);
  expect(form.text).toContain(job_id);
  expect((await look(`${PATH}/${plan}`)).status).toBe(200);
});

test('a running apply that is asked to stop finishes its unit and leaves the rest', async () => {
  await open();
  await save('listener', 'zone');
  let go = () => {};
  const reached = new Promise<void>((resolve) => {
    house.services.checkpoint = (step) => {
      if (step !== 'network:check') return;
      resolve();
      return new Promise<void>((goOn) => {
        go = goOn;
      });
    };
  });
  const plan = await review();
  await submit(plan);
  await reached;
  const before = await house.lastAudit();
  const asked = await post(`${PATH}/${plan}/cancel`);
  expect({ status: asked.status, location: asked.headers.location }).toEqual({
    status: 303,
    location: `${PATH}/${plan}`,
  });
  go();
  await house.appliance.runner.idle();
  expect((await findPlan(house.services.store, plan)).state).toBe('cancelled');
  expect(await journalOf(plan)).toEqual({ network: 'applied' });
  expect(await pending()).toEqual(['dns-dhcp']);
  expect(await house.audited(before)).toEqual(['job.cancel', 'apply.cancelled']);
  const twice = await post(`${PATH}/${plan}/cancel`);
  expect(twice.status).toBe(409);
});

test('an edit and its opposite settle to nothing pending', async () => {
  await open();
  await applyAll();
  await save('mtu');
  await save('mtu back');
  expect(await pending()).toEqual([]);
  const before = await house.lastAudit();
  const answer = await post(PATH);
  expect({ status: answer.status, location: answer.headers.location }).toEqual({ status: 303, location: PATH });
  expect(await house.audited(before)).toEqual(['plan.settle']);
  expect(await pending()).toEqual([]);
});

test.each([
  ['review', PATH, {}],
  ['submit', `${PATH}/{plan}/submit`, { digest: '0'.repeat(64), note: '' }],
  ['cancel', `${PATH}/{plan}/cancel`, {}],
])('%s needs the CSRF token and the scope', async (_name, path, form) => {
  await open();
  const plan = await review();
  const before = await house.lastAudit();
  const target = path.replace('{plan}', plan);
  const forged = await post(target, form, { ...admin, csrf: 'forged' });
  expect(forged.status).toBe(403);
  const viewer = await house.actor('viewer');
  expect((await post(target, form, viewer)).status).toBe(403);
  expect(await house.audited(before)).toEqual([]);
});
