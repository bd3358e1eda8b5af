// The root step: what it does for a submitted plan, and everything that it refuses. It runs in this process, on the data
// folder of a house and a host that writes down what is done to it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asOwner } from '../../runtime/enforce/desired-state.ts';
import { type ReadingRequest, readingSchema, readNetwork } from '../../runtime/enforce/network-reading.ts';
import type { RootRequest } from '../../runtime/enforce/request.ts';
import { serve, type Verbs } from '../../runtime/enforce/serve.ts';
import { rootVerbs } from '../../runtime/enforce/verbs.ts';
import { ensureDaemonCertificates } from '../../shared/appliance/apply/daemon-certificates.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import { readWindow } from '../../shared/appliance/apply/window/record-file.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { saveBaseline } from '../../shared/platform/applied/baseline.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { hostFiles } from '../../shared/platform/host/files.ts';
import { realKeys } from '../../shared/platform/host/key-driver.ts';
import { keyPath } from '../../shared/platform/host/key-files.ts';
import { readerArguments } from '../../shared/platform/host/networkd.ts';
import { type RootAnswer, RootStep } from '../../shared/platform/host/root-step.ts';
import { serviceHost } from '../../shared/platform/host/system.ts';
import { House } from '../setup/house.ts';

const CONF = '/etc/groundcrew/chrony/chrony.conf';

const NOBODY = 65_534;

/** Files in memory; every program answers that all is well. */
function paperHost(rehearsal: Host): Host & { files: Map<string, string>; done: string[] } {
  const files = new Map<string, string>();
  const done: string[] = [];
  const daemon = (verb: string) => async (spec: { systemd: string }) => void done.push(`${verb} ${spec.systemd}`);
  return {
    ...rehearsal,
    kind: 'system',
    name: 'system',
    enforces: true,
    files,
    done,
    resolve: (path) => path,
    read: async (path) => files.get(path) ?? null,
    write: async ({ path, content }) => void files.set(path, content),
    remove: async (path) => void files.delete(path),
    exec: async (program, args) => {
      done.push([program, ...args.map((arg) => (arg.length > 40 ? '…' : arg))].join(' '));
      return { code: 0, stdout: '', stderr: '' };
    },
    daemonRunning: async () => false,
    startDaemon: daemon('start'),
    stopDaemon: daemon('stop'),
    reloadDaemon: daemon('reload'),
  };
}

let house: House;
let host: ReturnType<typeof paperHost>;
let folder: string;
let verbs: Verbs<RootRequest>;
let watched = 0;

beforeAll(async () => {
  house = await House.open({
    host: (rehearsal) => {
      host = paperHost(rehearsal);
      return host;
    },
  });
  const admin = await house.actor();
  const heard = await house.send('PATCH', '/api/v1/ntp/settings', {
    token: admin.token,
    body: { enabled: true, listen_interfaces: ['ens192'], local_stratum: 10 },
  });
  if (heard.status !== 200) throw new Error(heard.text);
});
afterAll(() => house.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-root-'));
  host.files.clear();
  host.done.length = 0;
  watched = 0;
  verbs = rootVerbs({
    host,
    data: house.data,
    folder,
    settings: house.services.settings,
    logger: { warn: () => undefined },
    startWatchdog: async () => {
      watched += 1;
    },
  });
});

/** A plan of the time service, in this state. */
async function planned(state = 'submitted'): Promise<string> {
  const { services } = house;
  const prepared = await preparePlan(services, UNITS, 'test', { units: ['ntp'] });
  await services.store.write(async (tx) => {
    await storePlan(tx, prepared);
    await tx.run('UPDATE plan SET state = ? WHERE id = ?', [state, prepared.plan.id]);
  });
  host.done.length = 0;
  return prepared.plan.id;
}

/** Where nothing was ever applied, the units that open its port come along. */
async function unitsOf(plan_id: string): Promise<string[]> {
  const { units } = await findPlan(house.services.store, plan_id);
  return units.map(({ id }) => id);
}

/** Sends lines to the root step; answers what came back. */
const say = (...lines: (object | string)[]): Promise<RootAnswer[]> => sayTo(verbs, ...lines);

async function sayTo<R extends { verb: string }>(to: Verbs<R>, ...lines: (object | string)[]): Promise<RootAnswer[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  output.setEncoding('utf8').on('data', (part: string) => heard.push(part));
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  input.end();
  await serve(input, output, to, () => undefined);
  return heard
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RootAnswer);
}

const refused = (said: RegExp) => [{ ok: false, kind: 'refused', said: expect.stringMatching(said) }];

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a submitted plan', () => {
  test('is kept, swapped, activated and put back, by ids alone', async () => {
    const plan_id = await planned();
    host.files.set(CONF, 'port 0\n');
    const unit = { plan_id, unit: 'ntp' };
    const answers = await say({ verb: 'keep', ...unit }, { verb: 'swap', ...unit }, { verb: 'activate', ...unit });
    expect(answers).toEqual([
      { ok: true, value: null },
      { ok: true, value: '4 files written' },
      { ok: true, value: 'chronyd was started.' },
    ]);
    expect(host.files.get(CONF)).toContain('rtcsync');
    expect(host.done).toEqual(['start groundcrew-chronyd.service']);
    const [back] = await say({ verb: 'restore', ...unit });
    expect(back).toMatchObject({ ok: true });
    expect(host.files.get(CONF)).toBe('port 0\n');
    expect(await say({ verb: 'forget', plan_id })).toEqual([{ ok: true, value: null }]);
    expect(await say({ verb: 'restore', ...unit })).toEqual([{ ok: true, value: null }]);
  });

  test('has a confirm window that root keeps, with a watchdog of its own', async () => {
    const plan_id = await planned();
    const arming = { plan_id, nonce_sha256: 'a'.repeat(64), units: await unitsOf(plan_id), timeout_seconds: 30 };
    const arm = { verb: 'arm', ...arming, arrived_at: '10.10.0.5', listeners: ['10.10.0.5'] };
    expect(await say(arm)).toEqual([{ ok: true, value: null }]);
    expect([watched, (await readWindow(folder))?.state]).toEqual([1, 'armed']);
    const answers = await say(
      { verb: 'enforced', plan_id },
      { verb: 'confirm', plan_id, nonce: 'guessed', by: 'nobody' },
      { verb: 'end', plan_id, by: 'an operator', cause: 'cancelled' },
      { verb: 'swap', plan_id, unit: 'ntp' },
    );
    expect(answers).toMatchObject([
      { ok: true },
      { ok: false, kind: 'problem', code: 'wrong_nonce' },
      { ok: true, value: { state: 'reverted' } },
      { ok: false, kind: 'refused', said: 'the way back was not kept' },
    ]);
    expect(await say({ ...arm, units: ['network'] })).toEqual(refused(/not the units of the plan/));
  });

  test('can no longer be swapped when its window has ended', async () => {
    const plan_id = await planned();
    const unit = { plan_id, unit: 'ntp' };
    const arm = {
      verb: 'arm',
      plan_id,
      nonce_sha256: 'a'.repeat(64),
      units: await unitsOf(plan_id),
      timeout_seconds: 30,
    };
    const end = { verb: 'end', plan_id, by: 'x', cause: 'timeout' };
    const answers = await say({ ...arm, arrived_at: '', listeners: [] }, { verb: 'keep', ...unit }, end, {
      verb: 'swap',
      ...unit,
    });
    expect(answers.at(-1)).toMatchObject({ ok: false, kind: 'window-closed' });
  });
});

describe('what is refused', () => {
  test.each([
    ['no JSON', 'rm -rf /'],
    ['a verb that it does not know', { verb: 'run', program: 'id' }],
    ['more than it asks for', { verb: 'forget', plan_id: `plan_${'a'.repeat(16)}`, path: '/etc' }],
    ['a plan id that is a path', { verb: 'forget', plan_id: '../../../../etc' }],
    ['a unit that is none', { verb: 'swap', plan_id: `plan_${'a'.repeat(16)}`, unit: '../ntp' }],
    ['a question that is not on the list', { verb: 'ask', question: 'constructor' }],
    ['a window that is too long', { verb: 'extend', plan_id: `plan_${'a'.repeat(16)}`, timeout_seconds: 86_400 }],
  ])('%s', async (_name, line) => {
    expect(await say(line)).toEqual([{ ok: false, kind: 'refused', said: 'this is no request' }]);
  });

  test('a plan that does not exist', async () => {
    const answers = await say({ verb: 'keep', plan_id: `plan_${'a'.repeat(16)}`, unit: 'ntp' });
    expect(answers).toMatchObject([{ ok: false, kind: 'problem', code: 'resource_not_found' }]);
  });

  test.each(['open', 'applied', 'failed', 'reverted', 'superseded'])('a plan that is %s', async (state) => {
    const plan_id = await planned(state);
    expect(await say({ verb: 'swap', plan_id, unit: 'ntp' })).toEqual(refused(/not submitted/));
    expect(host.files.size).toBe(0);
  });

  test('a unit that is not in the plan', async () => {
    const plan_id = await planned();
    expect(await say({ verb: 'keep', plan_id, unit: 'dns-dhcp' })).toEqual(refused(/not in the plan/));
  });

  test('a swap before the way back is kept', async () => {
    const plan_id = await planned();
    for (const verb of ['swap', 'activate'])
      expect(await say({ verb, plan_id, unit: 'ntp' })).toEqual(refused(/way back was not kept/));
    expect([host.files.size, host.done]).toEqual([0, []]);
  });

  test('a plan whose desired state renders to something else by now', async () => {
    const plan_id = await planned();
    await say({ verb: 'keep', plan_id, unit: 'ntp' });
    const { store } = house.services;
    const [row] = await store.all<{ document: string }>('SELECT document FROM plan WHERE id = ?', [plan_id]);
    const changed = row!.document.replace(/"digest":"[0-9a-f]{64}"/g, `"digest":"${'0'.repeat(64)}"`);
    await store.write((tx) => tx.run('UPDATE plan SET document = ? WHERE id = ?', [changed, plan_id]));
    for (const verb of ['keep', 'swap', 'activate', 'probe'])
      expect(await say({ verb, plan_id, unit: 'ntp' })).toEqual(refused(/other files than those that were reviewed/));
    expect(host.files.size).toBe(0);
  });

  test('a line in the database that the unit would never write', async () => {
    const { store } = house.services;
    const change = async (from: string, to: string) =>
      store.write((tx) => tx.run('UPDATE unit_settings SET document = replace(document, ?, ?)', [from, to]));
    await change('"allowed_clients":[]', '"allowed_clients":["10.0.0.0/8\\ninclude /etc/shadow"]');
    try {
      const plan_id = await planned();
      expect(await say({ verb: 'keep', plan_id, unit: 'ntp' })).toEqual(refused(/is none that the unit writes/));
    } finally {
      await change('"allowed_clients":["10.0.0.0/8\\ninclude /etc/shadow"]', '"allowed_clients":[]');
    }
  });

  test.each(['/etc/groundcrew/tls/key.pem', '/var/lib/groundcrew/enforce/apply/host-lock.db'])(
    'a file of the former state that is none of a unit, %s: it is neither kept nor removed',
    async (path) => {
      const { store } = house.services;
      const digest = await saveBaseline(house.data, new Map(), [{ path, content: 'x', mode: 0o644 }], null);
      const former = (value: string | null) =>
        store.write((tx) => tx.run("UPDATE unit_state SET entries_digest = ? WHERE unit = 'ntp'", [value]));
      await former(digest);
      try {
        const plan_id = await planned();
        expect(await say({ verb: 'keep', plan_id, unit: 'ntp' })).toEqual(refused(/is no file of a unit/));
        expect(existsSync(join(folder, 'work'))).toBe(false);
      } finally {
        await former(null);
      }
    },
  );

  test('a packet filter to check that does more than filter', async () => {
    const answers = await say({ verb: 'check-filter', content: 'include "/etc/shadow"\n' });
    expect(answers).toEqual(refused(/is none that the unit writes/));
    expect(host.done).toEqual([]);
  });
});

describe('the network check', () => {
  const check: Verbs<ReadingRequest> = { schema: readingSchema, run: readNetwork };
  const read = (name: string, content: string) => ({ verb: 'read-network', files: [{ name, content }] });
  const LINK = '40-groundcrew-ens192.network';

  test.each([
    ['a path in place of files', { verb: 'read-network', path: '/etc' }, /no request/],
    ['a verb of the root step', { verb: 'ask', question: 'packet-filter' }, /no request/],
    ['a file that is too large', read(LINK, '#'.repeat(20_000)), /no request/],
    [
      'more files than links can have',
      { verb: 'read-network', files: Array(9_000).fill({ name: '', content: '' }) },
      /no request/,
    ],
    ['a name that climbs', read('../../../etc/passwd', ''), /is no file of a unit/],
    ['a file that networkd would not be given', read('90-else.network', '[Match]\n'), /is no file of a unit/],
    ['a section that the unit never writes', read(LINK, '[Tun]\nUser=root\n'), /is none that the unit writes/],
  ])('is not handed %s', async (_name, line, said) => {
    expect(await sayTo(check, line)).toEqual(refused(said));
  });

  test('gets what the service has staged, by name and content, and its word becomes that of the program', async () => {
    const asked: ReadingRequest[] = [];
    const heard = { code: 0, stdout: 'Enumeration completed\n', stderr: '' };
    const server = createServer((socket) => {
      const run = async (request: ReadingRequest) => {
        asked.push(request);
        return heard;
      };
      void serve(socket, socket, { schema: readingSchema, run }, () => undefined);
    });
    const at = join(folder, 'check.sock');
    await new Promise<void>((done) => server.listen(at, done));
    const [nobody, step] = [new RootStep(join(folder, 'none.sock')), new RootStep(at, 'the network check')];
    try {
      const staged = join(folder, 'staged');
      mkdirSync(join(staged, 'below'), { recursive: true });
      writeFileSync(join(staged, LINK), '[Match]\nName=ens192\n');
      symlinkSync('/etc/shadow', join(staged, '40-groundcrew-ens224.network'));
      const args = readerArguments(staged);
      expect(await serviceHost(nobody, step).exec('unshare', args)).toEqual(heard);
      expect(asked).toEqual([read(LINK, '[Match]\nName=ens192\n')]);
      const unheard = await serviceHost(nobody, nobody).exec('unshare', args);
      expect(unheard).toMatchObject({ code: 126, stderr: expect.stringMatching(/did not answer: .*ENOENT/) });
    } finally {
      step.close();
      server.close();
    }
  });
});

describe('private keys of daemons', () => {
  const path = keyPath('ntp');

  test('are told by their public key, to the service as well, and none that is no unit’s', async () => {
    host.files.set(path, 'Private key of …\n');
    expect(
      await say({ verb: 'key', name: 'ntp' }, { verb: 'key', name: 'none' }, { verb: 'key', name: '../tls' }),
    ).toEqual([
      { ok: true, value: 'Private key of …\n' },
      ...refused(/is no file of a unit/),
      ...refused(/no request/),
    ]);
    const server = createServer((socket) => void serve(socket, socket, verbs, () => undefined));
    const at = join(folder, 'enforce.sock');
    await new Promise<void>((done) => server.listen(at, done));
    const step = new RootStep(at);
    try {
      expect(await serviceHost(step, step).read(path)).toBe('Private key of …\n');
    } finally {
      step.close();
      server.close();
    }
  });
});

describe('a plan with a private key', () => {
  test('is put in force with the rights of root, from a row that only the service’s keys open, and rolled back', async () => {
    const { services, data } = house;
    const { token } = await house.actor();
    const patch = async (path: string, body: object) => {
      const heard = await house.send('PATCH', `/api/v1/${path}`, { token, body });
      expect({ status: heard.status, text: heard.text }).toMatchObject({ status: 200 });
    };
    await patch('certificate-authority/settings', { enabled: true });
    await services.store.write((tx) => createRoot(tx, services, 'test'));
    const address = { role: 'access', ipv4_cidr: '10.10.0.5/24', enabled: true };
    await patch('interfaces/physical/ens192', address);
    await patch('ntp/settings', { hostname: 'ntp.lab.test', nts_enabled: true });
    expect(await ensureDaemonCertificates(services, UNITS)).toEqual(['ntp']);
    const machine = { ...host, ...hostFiles(folder, realKeys(data)), resolve: host.resolve };
    // As /etc is: the service may read there, but for private keys.
    chmodSync(folder, 0o755);
    const settings = services.settings;
    const logger = { warn: () => undefined };
    const root = rootVerbs({ host: machine, data, folder, settings, logger, startWatchdog: async () => undefined });
    const plan_id = await planned();
    const unit = { plan_id, unit: 'ntp' };
    const key = join(folder, keyPath('ntp'));
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data]);
    try {
      const answers = await sayTo(root, { verb: 'keep', ...unit }, { verb: 'swap', ...unit });
      expect(answers).toEqual([
        { ok: true, value: null },
        { ok: true, value: '6 files written' },
      ]);
      expect(readFileSync(key, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
      const { uid, gid, mode } = statSync(key);
      expect([uid, gid, mode & 0o777]).toEqual([0, 0, 0o640]);
      expect(await sayTo(root, { verb: 'restore', ...unit }, { verb: 'forget', plan_id })).toMatchObject([
        { ok: true },
        { ok: true },
      ]);
      expect(existsSync(key)).toBe(false);
    } finally {
      execFileSync('chown', ['-R', '0:0', data]);
      await patch('ntp/settings', { nts_enabled: false });
    }
  });
});

describe('links in the folders of the service', () => {
  test('lead nowhere: what is staged there is never read', async () => {
    const plan_id = await planned();
    const staged = join(house.data, 'apply', 'work', plan_id, 'ntp', 'staged/etc/groundcrew/chrony');
    mkdirSync(staged, { recursive: true });
    symlinkSync('/etc/shadow', join(staged, 'chrony.conf'));
    const unit = { plan_id, unit: 'ntp' };
    await say({ verb: 'keep', ...unit }, { verb: 'swap', ...unit });
    expect(host.files.get(CONF)).toMatch(/^# Written by Groundcrew/);
  });

  test('in the place of the database are not followed', async () => {
    const data = mkdtempSync(join(tmpdir(), 'groundcrew-owner-'));
    const secret = join(folder, 'secret.sqlite');
    writeFileSync(secret, readFileSync(join(house.data, 'groundcrew.sqlite')), { mode: 0o600 });
    symlinkSync(secret, join(data, 'groundcrew.sqlite'));
    try {
      expect(process.getuid!()).toBe(0);
      chownSync(data, 65_534, 65_534);
      await expect(asOwner(data, async (db) => db.all('SELECT 1 AS one'))).rejects.toThrow(/is no ordinary file/);
      expect(process.geteuid!()).toBe(0);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});
