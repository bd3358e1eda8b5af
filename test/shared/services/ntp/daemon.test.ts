// The time service with the real chronyd (needs root): a whole appliance in this process, whose host is a network
// namespace; upstream server and clients are chronyd in another. No clock is touched: every chronyd here runs with -x.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { preparePlan, storePlan } from '../../../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../../../shared/appliance/apply/submit.ts';
import { systemClock, systemEntropy } from '../../../../shared/ground/clock.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import type { Transaction } from '../../../../shared/ground/store/database.ts';
import { findJob } from '../../../../shared/kernel/jobs/job.ts';
import { namespaceHost } from '../../../../shared/platform/host/namespace.ts';
import { networkUnit } from '../../../../shared/platform/network/unit.ts';
import type { NtpDesired, TimeSource } from '../../../../shared/services/ntp/desired.ts';
import {
  CLIENTS_FILE,
  CONF_FILE,
  chronyDaemon,
  LOCAL_FILE,
  SOURCES_FILE,
} from '../../../../shared/services/ntp/files.ts';
import { ntpMetrics } from '../../../../shared/services/ntp/metrics.ts';
import { ntpSettings } from '../../../../shared/services/ntp/settings.ts';
import { type NtpSource, ntpSources } from '../../../../shared/services/ntp/sources.ts';
import { ntpUnit } from '../../../../shared/services/ntp/unit.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { looks } from '../../../setup/looks.ts';
import { type Lab, makeLab, pidsOf } from '../../../setup/namespaces.ts';
import { until } from '../../../setup/until.ts';

const CLIENT = fileURLToPath(new URL('../../../fixtures/ntp/steady-client.ts', import.meta.url));

let lab: Lab;
let folder: string;
let host: Host;
let house: House;
let admin: Credentials;

const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' });

/** A chronyd in the client's namespace, with its files in a folder of its own. */
function clientChrony(name: string, lines: readonly string[], ...args: string[]) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const conf = join(own, 'chrony.conf');
  const socket = join(own, 'run', 'chronyd.sock');
  writeFileSync(conf, [...lines, `pidfile ${own}/pid`, `bindcmdaddress ${socket}`, 'cmdport 0', ''].join('\n'));
  const ran = spawnSync('ip', ['netns', 'exec', lab.client, 'chronyd', '-x', '-u', 'root', '-f', conf, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { code: ran.status, said: ran.stderr + ran.stdout, socket };
}

/** Asks once, as `chronyd -Q` does: whether an answer came. */
function answers(server: string, from?: string): boolean {
  const bound = from === undefined ? [] : [`bindacqaddress ${from}`];
  const asked = clientChrony('once', [`server ${server} iburst maxsamples 1`, ...bound], '-Q', '-t', '3');
  return asked.code === 0 && asked.said.includes('System clock wrong by');
}

async function api(method: string, path: string, body?: unknown) {
  const answer = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Reviews, submits and waits; answers how it ended and what was said of the time service. */
async function apply() {
  const { services, appliance } = house;
  const { store } = services;
  const prepared = await preparePlan(services, [networkUnit, ntpUnit], 'test');
  const { id, digest, units } = prepared.plan;
  await store.write((tx) => storePlan(tx, prepared));
  const { job_id } = await store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
  const job = await findJob(store, job_id!);
  const log = job.tasks.find(({ name }) => name === 'ntp')?.log.map(({ text }) => text) ?? [];
  return { state: job.state, log: log.join('\n'), unit: units.find((unit) => unit.id === 'ntp') };
}

const pids = () => pidsOf(lab.appliance, 'chronyd');

beforeAll(async () => {
  lab = makeLab('ntp');
  folder = mkdtempSync(join(tmpdir(), 'gct-ntp-'));
  ip('link', 'add', 'side0', 'netns', lab.appliance, 'type', 'veth', 'peer', 'name', 'c2', 'netns', lab.client);
  for (const args of [
    'addr add 10.99.0.2/24 dev c2',
    'link set c2 up',
    'addr add 10.88.9.2/24 dev c1',
    'addr add fd88::2/64 dev c1 nodad',
  ]) {
    ip('-n', lab.client, ...args.split(' '));
  }
  host = await namespaceHost(lab.appliance, join(folder, 'h'));
  const links = await host.links();
  house = await House.open({ host: () => ({ ...host }), links });
  admin = await house.actor('admin');
  for (const [name, cidr] of [
    ['lab0', '10.88.0.1/24'],
    ['side0', '10.99.0.1/24'],
  ]) {
    await api('PATCH', `interfaces/physical/${name}`, { role: 'access', ipv4_cidr: cidr, enabled: true });
  }
}, 120_000);

afterAll(async () => {
  await house.close();
  lab.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Seen {
  asked: number;
  unanswered: number;
  lastAnswered: boolean;
  /** Milliseconds, as many as the client's own questions are worth. */
  longestSilence: number;
}

/** What a client that asks all the time sees while the work is done. */
async function seenWhile(work: () => Promise<unknown>): Promise<Seen> {
  const args = ['netns', 'exec', lab.client, process.execPath, CLIENT, '10.88.9.1'];
  const client = spawn('ip', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  const asking = new Promise<void>((resolve) => {
    client.stdout.on('data', (chunk) => {
      output += chunk;
      resolve();
    });
  });
  const ended = new Promise((resolve) => client.once('close', resolve));
  await asking;
  const meanwhile = () => new Promise((resolve) => setTimeout(resolve, 200));
  await meanwhile();
  try {
    await work();
    await meanwhile();
  } finally {
    client.stdin.end();
  }
  await ended;
  return JSON.parse(output.split('\n')[1] ?? '') as Seen;
}

describe('an appliance and its clients', () => {
  test('answers on the chosen interface and nowhere else', async () => {
    await api('PATCH', 'ntp/settings', { enabled: true, listen_interfaces: ['lab0'] });
    const { state, log, unit } = await apply();
    expect(unit).toMatchObject({ interruption: 'none', check: { ok: true, program: 'chronyd -p' } });
    expect({ state, log }).toEqual({ state: 'succeeded', log: expect.stringContaining('10.88.0.1: stratum 10') });
    expect(log).toContain('chronyd was started.');
    expect(pids()).toHaveLength(1);
    expect(readFileSync(`/proc/${pids()[0]}/cmdline`, 'utf8')).toContain('\0-x\0');
    expect([answers('10.88.0.1'), answers('10.77.0.1')]).toEqual([true, false]);
  }, 120_000);

  test('a source costs no restart, is followed, and its stratum reaches the client', async () => {
    clientChrony('upstream', ['local stratum 3', 'allow', 'bindaddress 10.77.0.2', 'bindaddress ::1']);
    const before = pids();
    await api('POST', 'ntp/sources', { address: '10.77.0.2', prefer: true });
    const { state, log, unit } = await apply();
    expect(unit?.interruption).toBe('none');
    expect({ state, log }).toEqual({ state: 'succeeded', log: expect.stringContaining('without a restart') });
    expect(log).toContain('1 source known');
    expect(pids()).toEqual(before);
    // While its first samples vary, chronyd goes back to its local stratum now and then: the answer that was waited for
    // is the one that is looked at.
    let status = await api('GET', 'ntp/status');
    await until(async () => {
      status = await api('GET', 'ntp/status');
      return status.clock?.reference === '10.77.0.2' && status.sources?.[0]?.state === 'selected';
    });
    expect(status).toMatchObject({
      running: true,
      reason: null,
      clock: { synchronised: true, stratum: 4, reference: '10.77.0.2' },
      sources: [{ address: '10.77.0.2', state: 'selected', stratum: 3, reach: expect.stringMatching(/^[1-7]/) }],
    });
    const { socket } = clientChrony('follower', ['server 10.88.0.1 minpoll -2 maxpoll 0', 'port 0']);
    const seen = () => lab.inClient('chronyc', '-c', '-n', '-h', socket, 'sources').split(',');
    await until(async () => seen().slice(2, 4).join() === '10.88.0.1,4');
    const numbers = new Map((await ntpMetrics(host)).map(({ name, samples }) => [name, samples[0]?.value]));
    expect(numbers.get('groundcrew_ntp_sources')).toBe(1);
    expect(numbers.get('groundcrew_ntp_requests')).toBeGreaterThan(0);
    // Changing how it is asked costs no restart either, and the new way is the one in use.
    const [source] = (await api('GET', 'ntp/sources')).items;
    await api('PATCH', `ntp/sources/${source.id}`, { prefer: false });
    expect(await apply()).toMatchObject({ state: 'succeeded', log: expect.stringContaining('without a restart') });
    const { text } = await house.send('GET', '/ui/management/ntp', { session: admin });
    expect(text).toContain('10.77.0.2');
  }, 300_000);

  test('a client that is not among the allowed networks gets no answer', async () => {
    const before = pids();
    ip('-n', lab.client, 'addr', 'add', '10.88.0.130/24', 'dev', 'c1');
    // The one around the first, and then another one alone: nothing is left of networks from before.
    for (const [network, ...heard] of [
      ['10.88.0.128/25', false, true],
      ['10.88.0.0/24', true, true],
      ['10.88.0.0/25', true, false],
    ]) {
      await api('PATCH', 'ntp/settings', { allowed_clients: [network] });
      const applied = { state: 'succeeded', log: expect.stringContaining('without a restart') };
      expect(await apply()).toMatchObject({ ...applied, unit: { interruption: 'none' } });
      expect([answers('10.88.0.1', '10.88.0.2'), answers('10.88.0.1', '10.88.0.130')]).toEqual(heard);
    }
    expect(pids()).toEqual(before);
  }, 120_000);

  test('answers at the new address of a renumbered interface, and not at the old one', async () => {
    await api('PATCH', 'ntp/settings', { allowed_clients: [] });
    const edited = await api('PATCH', 'interfaces/physical/lab0', {
      ipv4_cidr: '10.88.9.1/24',
      ipv6_enabled: true,
      ipv6_cidr: 'fd88::1/64',
    });
    expect(edited.impact.refreshed_units).toContain('ntp');
    const { state, log } = await apply();
    expect({ state, log }).toEqual({ state: 'succeeded', log: expect.stringContaining('10.88.9.1: ') });
    expect(log).toContain('fd88::1: ');
    expect(['10.88.9.1', '10.88.0.1', 'fd88::1'].map((server) => answers(server))).toEqual([true, false, true]);
  }, 120_000);

  test('with two interfaces both are answered, and clients of a third are not', async () => {
    await api('PATCH', 'ntp/settings', { listen_interfaces: ['lab0', 'mgmt0'] });
    const { state, unit } = await apply();
    expect(state).toBe('succeeded');
    expect(unit?.says.join(' ')).toContain('refused are: 10.99.0.0/24.');
    expect(['10.88.9.1', '10.77.0.1', '10.99.0.1'].map((server) => answers(server))).toEqual([true, true, false]);
    // The network of the third interface follows its edits, though the service does not listen there.
    await api('PATCH', 'interfaces/physical/side0', { ipv4_cidr: '10.99.7.1/24' });
    expect((await apply()).unit?.raw).toContain('+deny 10.99.7.0/24');
  }, 120_000);

  test('an apply whose service does not answer puts the former state back', async () => {
    await api('PATCH', 'ntp/settings', { listen_interfaces: ['lab0'] });
    await apply();
    const script = `require('node:dgram').createSocket('udp4').bind(123, '10.77.0.1', () => console.log('bound'))`;
    const squatter = spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((bound) => squatter.stdout.once('data', bound));
    try {
      const conf = await host.read(CONF_FILE);
      await api('PATCH', 'ntp/settings', { listen_interfaces: ['mgmt0'] });
      const { state, log } = await apply();
      expect(state).toBe('failed');
      expect(log).toContain('10.77.0.1 did not answer on UDP port 123');
      expect(log).toContain('Rolled back: chronyd was restarted.');
      expect(await host.read(CONF_FILE)).toBe(conf);
      expect([answers('10.88.9.1'), await ntpUnit.drift?.(host, { ...RUNNING })]).toEqual([true, []]);
    } finally {
      squatter.kill('SIGKILL');
    }
    await api('PATCH', 'ntp/settings', { listen_interfaces: ['lab0'] });
  }, 300_000);

  test('what a client that asks every five milliseconds sees of a restart and of what costs none', async () => {
    const change = (path: string) => ({ before: null, after: new Map(), written: [path], removed: [] });
    const seen = (path: string) => () => seenWhile(() => ntpUnit.activate(host, RUNNING, change(path)));
    const former = pids();
    const restart = await seen(CONF_FILE)();
    const later = pids();
    expect([later.length, later[0] === former[0]]).toEqual([1, false]);
    // The last questions are answered again.
    expect(restart.unanswered).toBeLessThan(restart.asked);
    expect(restart.lastAnswered).toBe(true);
    for (const path of [SOURCES_FILE, CLIENTS_FILE, LOCAL_FILE]) {
      const reload = await looks(seen(path), { unanswered: 1 });
      expect([reload.last.unanswered, pids()]).toEqual([0, later]);
    }
  }, 120_000);

  test('a killed daemon is seen as drift, and switching off what is left ends it', async () => {
    for (const pid of pids()) process.kill(pid, 'SIGKILL');
    await until(async () => !(await host.daemonRunning(chronyDaemon(host))));
    expect(await ntpUnit.drift?.(host, RUNNING)).toEqual(['chronyd does not run']);
    expect(await api('GET', 'ntp/status')).toMatchObject({ running: false, clock: null, sources: null });
    await api('PATCH', 'ntp/settings', { enabled: false });
    // The appliance's own clock still follows the source.
    expect(await apply()).toMatchObject({ state: 'succeeded', log: expect.stringContaining('chronyd was started.') });
    expect([pids().length, answers('10.88.9.1')]).toEqual([1, false]);
    const [source] = (await api('GET', 'ntp/sources')).items;
    await api('DELETE', `ntp/sources/${source.id}`);
    const { state, log } = await apply();
    expect({ state, log }).toEqual({ state: 'succeeded', log: expect.stringContaining('chronyd was stopped.') });
    expect([pids(), await host.read(CONF_FILE), await host.read(SOURCES_FILE)]).toEqual([[], null, null]);
  }, 120_000);
});

const RUNNING: NtpDesired = {
  settings: { ...ntpSettings.defaults, enabled: true, listen_interfaces: ['lab0'] },
  listen: [
    { name: 'lab0', usable: true, ipv4: { cidr: '10.88.9.1/24', dynamic: false }, ipv6: { cidr: '', dynamic: false } },
  ],
  elsewhere: ['10.77.0.0/24'],
  sources: [{ address: '10.77.0.2', kind: 'server', nts: false, prefer: false }],
  certificate: null,
};

const SHELL = { clock: systemClock, entropy: systemEntropy };

/** As a create does it; null when it is refused. */
async function accepted(source: TimeSource): Promise<TimeSource | null> {
  const kept = { id: '', description: '', enabled: true, revision: 1, created_at: '', updated_at: '' };
  const none = { all: async () => [] } as unknown as Transaction;
  try {
    const { address, kind, nts, prefer } = (await ntpSources.settle(
      none,
      { ...kept, ...source },
      null,
      SHELL,
    )) as NtpSource;
    return { address, kind, nts, prefer };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The daemon's own check, of files that are rendered without asking ours first. */
async function daemonAccepts(desired: NtpDesired): Promise<boolean> {
  for (const { path, content } of ntpUnit.render(desired, (each) => join(folder, each))) {
    const file = join(folder, path.replaceAll('/', '-'));
    writeFileSync(file, content);
    if (spawnSync('chronyd', ['-p', '-f', file]).status !== 0) return false;
  }
  return true;
}

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,12}[a-z0-9])?$/);
const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => `${labels.join('.')}.test`);
const address4 = fc
  .tuple(fc.integer({ min: 1, max: 223 }), fc.nat(255), fc.nat(255))
  .map(([a, b, c]) => `${a}.${b}.${c}.7`);
const address6 = fc
  .tuple(fc.nat(0xffff), fc.nat(0xffff))
  .map(([a, b]) => `2001:db8:${a.toString(16)}::${b.toString(16)}`);
const anySource = fc.record<TimeSource>({
  address: fc.oneof(name, address4, address6),
  kind: fc.constantFrom('server', 'pool'),
  nts: fc.boolean(),
  prefer: fc.boolean(),
});
const anyNetwork = fc.oneof(
  address4,
  address6,
  fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.${a}.${b}.0/24`),
  fc.nat(0xffff).map((a) => `fd00:${a.toString(16)}::/32`.replace(/:[^:]+::/, '::')),
);
const anySettings = fc.record({
  enabled: fc.boolean(),
  hostname: name,
  listen_interfaces: fc.constantFrom(['a'], ['a', 'b'], ['c']),
  allowed_clients: fc.uniqueArray(anyNetwork, { maxLength: 6 }),
  local_stratum: fc.nat(15),
  nts_enabled: fc.boolean(),
  minimum_sources: fc.integer({ min: 1, max: 8 }),
});
const reach = (cidr: string, dynamic = false) => ({ cidr, dynamic });
const LINKS: Record<string, NtpDesired['listen'][number]> = {
  a: { name: 'a', usable: true, ipv4: reach('10.1.0.1/24'), ipv6: reach('fd01::1/64') },
  b: { name: 'b', usable: true, ipv4: reach('10.2.0.1/24'), ipv6: reach('') },
  c: { name: 'c', usable: true, ipv4: reach('', true), ipv6: reach('', true) },
};
const desiredOf = (settings: NtpDesired['settings'], sources: TimeSource[]): NtpDesired => ({
  settings,
  listen: settings.listen_interfaces.map((each) => LINKS[each]!),
  elsewhere: ['10.3.0.0/24', 'fd03::/64'],
  certificate: null,
  sources,
});

test('300 settings and lists of sources that we accept are accepted by chronyd', async () => {
  const plain: Host = {
    ...host,
    exec: async (program, args) => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      return { code: status ?? 128, stdout, stderr };
    },
  };
  let sources = 0;
  for (const [typed, wanted] of fc.sample(fc.tuple(anySettings, fc.array(anySource, { maxLength: 6 })), {
    numRuns: 300,
    seed: 5905,
  })) {
    const settings = v.parse(ntpSettings.schema, typed) as NtpDesired['settings'];
    const kept = (await Promise.all(wanted.map(accepted))).filter((source) => source !== null);
    sources += kept.length;
    const desired = desiredOf(settings, kept);
    const staged = (path: string) => join(folder, path.replaceAll('/', '-'));
    for (const { path, content } of ntpUnit.render(desired, (each) => join(folder, each)))
      writeFileSync(staged(path), content);
    const result = await ntpUnit.check(plain, desired, staged);
    expect({ faults: result.faults, desired: result.ok || desired }).toEqual({ faults: [], desired: true });
  }
  expect(sources).toBeGreaterThan(300);
}, 300_000);

test('300 near-misses: what chronyd refuses, we refused before', async () => {
  const broken = fc
    .tuple(
      fc.oneof(name, address4, anyNetwork),
      fc.constantFrom(' ', '#', '/33', '\n', '..', '/x', ' nts', '\t', '%', ':', '0', '-', '"', '/'),
      fc.nat(30),
    )
    .map(([text, piece, at]) => text.slice(0, at) + piece + text.slice(at));
  let refused = 0;
  let stricter = 0;
  const missed: unknown[] = [];
  const base = { ...ntpSettings.defaults, enabled: true, listen_interfaces: ['a'] };
  const judge = async (theirs: boolean, ours: boolean, text: unknown) => {
    if (!theirs) refused += 1;
    if (theirs && !ours) stricter += 1;
    if (!theirs && ours) missed.push(text);
  };
  for (const text of fc.sample(broken, { numRuns: 150, seed: 5905 })) {
    const source: TimeSource = { address: text, kind: 'server', nts: false, prefer: false };
    const kept = await accepted(source);
    await judge(await daemonAccepts(desiredOf(base, [kept ?? source])), kept !== null, text);
    const clients = v.safeParse(ntpSettings.schema, { ...base, allowed_clients: [text] });
    const settings = clients.success ? clients.output : { ...base, allowed_clients: [text] };
    await judge(await daemonAccepts(desiredOf(settings as NtpDesired['settings'], [])), clients.success, text);
  }
  for (const [member, value] of [
    ['local_stratum', 16],
    ['local_stratum', 1.5],
    ['minimum_sources', 'x'],
  ] as const) {
    const ours = v.safeParse(ntpSettings.schema, { ...base, [member]: value }).success;
    await judge(
      await daemonAccepts(desiredOf({ ...base, [member]: value } as NtpDesired['settings'], [])),
      ours,
      value,
    );
  }
  console.log(`near-misses: ${refused} refused by chronyd, ${stricter} by us alone, ${missed.length} by chronyd alone`);
  expect(missed).toEqual([]);
  expect(refused).toBeGreaterThan(60);
}, 300_000);
