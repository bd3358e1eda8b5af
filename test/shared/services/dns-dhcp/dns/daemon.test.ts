// The name service with the real dnsmasq in a network namespace of its own (needs root): what was saved is what is
// answered, and what a client sees of a reload and of a restart.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DaemonSpec, ExecResult, Host, RenderedFile } from '../../../../../shared/ground/machine/host.ts';
import type { DnsDhcpDesired } from '../../../../../shared/services/dns-dhcp/desired.ts';
import {
  canonicalRecord,
  RECORD_TYPES,
  type RecordData,
} from '../../../../../shared/services/dns-dhcp/dns/record-data.ts';
import type { Answered } from '../../../../../shared/services/dns-dhcp/dns-question.ts';
import { CONF_FILE, HOSTS_FILE } from '../../../../../shared/services/dns-dhcp/files.ts';
import { DNS_DHCP_DEFAULTS } from '../../../../../shared/services/dns-dhcp/settings.ts';
import { dnsDhcpUnit } from '../../../../../shared/services/dns-dhcp/unit.ts';
import { looks } from '../../../../setup/looks.ts';
import { until } from '../../../../setup/until.ts';

const NAMESPACE = `gct-dns-${process.pid}`;
const LISTEN = '10.77.0.1';
const LISTEN6 = 'fd77::1';
const QUESTION = fileURLToPath(new URL('../../../../../shared/services/dns-dhcp/dns-question.ts', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../../../fixtures/dns-dhcp/steady-client.ts', import.meta.url));

let root = '';
let actions: string[] = [];

function run(program: string, args: string[], timeout = 10_000, heard?: (text: string) => void): Promise<ExecResult> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 124) : 0;
      resolve({ code, stdout, stderr });
    });
    if (heard) child.stdout?.on('data', heard);
  });
}

const inside = (program: string, args: string[], timeout?: number, heard?: (text: string) => void) =>
  run('ip', ['netns', 'exec', NAMESPACE, program, ...args], timeout, heard);

async function pidOf(daemon: DaemonSpec): Promise<number | null> {
  const text = await readFile(join(root, daemon.pidFile), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!Number.isInteger(pid)) return null;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(root) ? pid : null;
}

const host: Host = {
  kind: 'namespace',
  name: 'namespace:test',
  label: `Namespace ${NAMESPACE}`,
  enforces: true,
  resolve: (path) => join(root, path),
  read: (path) => readFile(join(root, path), 'utf8').catch(() => null),
  async write(file: RenderedFile) {
    const path = join(root, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}~`, file.content, { mode: file.mode });
    await rename(`${path}~`, path);
  },
  remove: (path) => rm(join(root, path), { force: true }),
  exec: (program, args, options) => inside(program, args, options?.timeout, options?.heard),
  links: async () => [],
  daemonRunning: async (daemon) => (await pidOf(daemon)) !== null,
  async startDaemon(daemon) {
    actions.push('start');
    await mkdir(dirname(join(root, daemon.pidFile)), { recursive: true });
    const { code, stderr } = await inside(daemon.program, daemon.args);
    if (code !== 0) throw new Error(stderr);
  },
  async stopDaemon(daemon) {
    actions.push('stop');
    const pid = await pidOf(daemon);
    if (pid === null) return;
    process.kill(pid, 'SIGTERM');
    await until(async () => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
      // It loses its command line before the kernel closes its sockets: only a zombie, or nothing at all, has let go.
      return stat === null || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
    });
  },
  async reloadDaemon(daemon) {
    actions.push('reload');
    const pid = await pidOf(daemon);
    if (pid !== null) process.kill(pid, 'SIGHUP');
  },
};

const record = (fqdn: string, type: string, value: string): RecordData => canonicalRecord({ fqdn, type, value });
const bySort = (a: RecordData, b: RecordData) =>
  `${a.fqdn} ${a.type} ${a.value}` < `${b.fqdn} ${b.type} ${b.value}` ? -1 : 1;

function desiredOf(records: RecordData[]): DnsDhcpDesired {
  return {
    settings: { ...DNS_DHCP_DEFAULTS, enabled: true, listen_interfaces: ['ap0'], ttl_seconds: 77 },
    listen: [{ name: 'ap0', usable: true, addresses: [LISTEN, LISTEN6], dynamic: false }],
    zones: ['lab.test'],
    records: [...records].sort(bySort),
    dhcp: null,
  };
}

/** Writes what differs, then activates, as an apply does. Answers the sentence. */
async function apply(desired: DnsDhcpDesired): Promise<string> {
  const rendered = dnsDhcpUnit.render(desired, host.resolve);
  const written: string[] = [];
  for (const file of rendered) {
    if ((await host.read(file.path)) === file.content) continue;
    await host.write(file);
    written.push(file.path);
  }
  const removed = rendered.length > 0 ? [] : [CONF_FILE, HOSTS_FILE];
  for (const path of removed) await host.remove(path);
  actions = [];
  return dnsDhcpUnit.activate(host, desired, { before: null, after: new Map(), written, removed });
}

async function ask(...questions: string[]): Promise<Answered[]> {
  const { stdout } = await inside(process.execPath, [QUESTION, '53', LISTEN, ...questions]);
  return JSON.parse(stdout) as Answered[];
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gct-dns-'));
  for (const command of [
    `netns add ${NAMESPACE}`,
    `-n ${NAMESPACE} link set lo up`,
    `-n ${NAMESPACE} link add ap0 type veth peer name cl0`,
    `-n ${NAMESPACE} link set ap0 up`,
    `-n ${NAMESPACE} link set cl0 up`,
    `-n ${NAMESPACE} addr add ${LISTEN}/24 dev ap0`,
  ]) {
    expect(await run('ip', command.split(' '))).toMatchObject({ code: 0 });
  }
});

afterAll(async () => {
  await apply({ ...desiredOf([]), settings: DNS_DHCP_DEFAULTS });
  await run('ip', ['netns', 'del', NAMESPACE]);
  await rm(root, { recursive: true, force: true });
});

const EIGHT: [question: string, record: RecordData, answers: string[]][] = [
  ['vc01.lab.test/A', record('vc01.lab.test', 'A', '10.77.0.11'), ['10.77.0.11']],
  ['vc01.lab.test/AAAA', record('vc01.lab.test', 'AAAA', 'FD77::11'), ['fd77::11']],
  ['www.lab.test/CNAME', record('www.lab.test', 'CNAME', 'vc01.lab.test'), ['vc01.lab.test']],
  ['_t.lab.test/TXT', record('_t.lab.test', 'TXT', 'a, "b" \\ # c;d '), ['a, "b" \\ # c;d']],
  ['long.lab.test/TXT', record('long.lab.test', 'TXT', `${'x'.repeat(300)}, end`), [`${'x'.repeat(300)}, end`]],
  [
    '_ldap._tcp.lab.test/SRV',
    record('_ldap._tcp.lab.test', 'SRV', '10 5 389 dc.lab.test'),
    ['{"priority":10,"weight":5,"port":389,"target":"dc.lab.test"}'],
  ],
  ['lab.test/MX', record('lab.test', 'MX', '10 mail.lab.test'), ['{"preference":10,"exchange":"mail.lab.test"}']],
  [
    'lab.test/CAA',
    record('lab.test', 'CAA', '128 issue "ca.lab.test; x, #1"'),
    ['{"flags":128,"tag":"issue","value":"ca.lab.test; x, #1","issuerCritical":true}'],
  ],
  ['99.0.77.10.in-addr.arpa/PTR', record('99.0.77.10.in-addr.arpa', 'PTR', 'o99.lab.test'), ['o99.lab.test']],
];
const BASE = [
  ...EIGHT.map(([, saved]) => saved),
  record('abc.lab.test', 'A', '10.77.0.11'),
  record('esx01.lab.test', 'A', '10.77.0.12'),
  record('12.0.77.10.in-addr.arpa', 'PTR', 'other.lab.test'),
];

describe('the running service', () => {
  beforeAll(async () => {
    const desired = desiredOf(BASE);
    expect(await dnsDhcpUnit.check(host, desired, host.resolve)).toMatchObject({ ok: false });
    for (const file of dnsDhcpUnit.render(desired, host.resolve)) await host.write(file);
    expect(await dnsDhcpUnit.check(host, desired, host.resolve)).toMatchObject({ ok: true, faults: [] });
    expect(await apply(desired)).toBe('dnsmasq was started.');
  });

  test('an address that appears after the start is bound, and the probe asks every address', async () => {
    expect((await dnsDhcpUnit.probe(host, desiredOf(BASE))).ok).toBe(false);
    await run('ip', `-n ${NAMESPACE} addr add ${LISTEN6}/64 dev ap0 nodad`.split(' '));
    expect(await dnsDhcpUnit.probe(host, desiredOf(BASE))).toMatchObject({ ok: true });
  });

  test.each(EIGHT)('%s is answered as saved', async (question, _record, answers) => {
    const [answer] = await ask(question);
    expect(answer).toMatchObject({ rcode: 'NOERROR', error: null });
    expect(answer?.answers).toEqual(answers);
  });

  test('names without record, reverse names, and foreign names', async () => {
    const asked = await ask(
      'none.lab.test/A',
      'vc01.lab.test/MX',
      '11.0.77.10.in-addr.arpa/PTR',
      '12.0.77.10.in-addr.arpa/PTR',
      `1.1${'.0'.repeat(26)}.7.7.d.f.ip6.arpa/PTR`,
      '98.0.77.10.in-addr.arpa/PTR',
      'www.lab.test/A',
      'www.other.example/A',
    );
    expect(asked.map(({ rcode, answers }) => [rcode, ...answers])).toEqual([
      ['NXDOMAIN'],
      ['NOERROR'],
      ['NOERROR', 'abc.lab.test'],
      ['NOERROR', 'other.lab.test'],
      ['NOERROR', 'vc01.lab.test'],
      ['NXDOMAIN'],
      ['NOERROR', 'vc01.lab.test', '10.77.0.11'],
      ['REFUSED'],
    ]);
  });

  test('an address costs a reload, another record a restart, nothing costs nothing', async () => {
    const address = [...BASE, record('new.lab.test', 'A', '10.77.0.50')];
    expect(await apply(desiredOf(address))).toBe('dnsmasq re-read its files without a restart.');
    expect(actions).toEqual(['reload']);
    expect(await dnsDhcpUnit.probe(host, desiredOf(address))).toMatchObject({ ok: true });
    expect((await ask('new.lab.test/A'))[0]?.answers).toEqual(['10.77.0.50']);
    await apply(desiredOf(address));
    expect(actions).toEqual([]);
    const text = [...address, record('new.lab.test', 'TXT', 'x')];
    await apply(desiredOf(text));
    expect(actions).toEqual(['stop', 'start']);
    expect(await dnsDhcpUnit.probe(host, desiredOf(text))).toMatchObject({ ok: true });
    // Removed addresses are forgotten by the reload, too.
    await apply(desiredOf(text.filter(({ type, fqdn }) => !(type === 'A' && fqdn === 'new.lab.test'))));
    expect(actions).toEqual(['reload']);
    expect((await ask('new.lab.test/A'))[0]).toMatchObject({ rcode: 'NOERROR', answers: [] });
  });

  test('a zone and an upstream server cost a reload, and are in force', async () => {
    const desired = desiredOf(BASE);
    await apply(desired);
    expect((await ask('none.new.test/A'))[0]?.rcode).toBe('REFUSED');
    await apply({ ...desired, zones: [...desired.zones, 'new.test'] });
    expect(actions).toEqual(['reload']);
    await until(async () => (await ask('none.new.test/A'))[0]?.rcode === 'NXDOMAIN');
    // A name server that says of every name that it does not exist.
    const answering = `const s = require('node:dgram').createSocket('udp4');
      s.on('message', (m, from) => { m[2] = 0x81; m[3] = 0x83; s.send(m, from.port, from.address); });
      s.bind(5353, '127.0.0.1', () => console.log('bound'));`;
    const upstream = spawn('ip', ['netns', 'exec', NAMESPACE, process.execPath, '-e', answering], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((bound) => upstream.stdout.once('data', bound));
    try {
      const settings = { ...desired.settings, upstream_servers: ['127.0.0.1#5353'] };
      await apply({ ...desired, settings });
      expect(actions).toEqual(['reload']);
      await until(async () => (await ask('www.other.example/A'))[0]?.rcode === 'NXDOMAIN');
      expect((await ask('none.new.test/A'))[0]?.rcode).toBe('NXDOMAIN');
      expect(await dnsDhcpUnit.probe(host, { ...desired, settings })).toMatchObject({ ok: true });
    } finally {
      upstream.kill('SIGKILL');
    }
    await apply(desired);
    expect(actions).toEqual(['reload']);
    await until(async () =>
      (await ask('none.new.test/A', 'www.other.example/A')).every((one) => one.rcode === 'REFUSED'),
    );
  });

  test('the probe sees files that the service has not read', async () => {
    const records = [...BASE, record('unread.lab.test', 'A', '10.77.0.51')];
    expect(await dnsDhcpUnit.probe(host, desiredOf(records))).toMatchObject({
      ok: false,
      said: expect.stringContaining('earlier files'),
    });
  });
});

interface Seen {
  asked: number;
  answered: number;
  wrong: number;
  median: number;
  longest: number;
  longestSilence: number;
}

/** What a client that asks every millisecond sees while `during` runs. */
async function seenWhile(during: () => Promise<unknown>, milliseconds: number): Promise<Seen> {
  const args = ['netns', 'exec', NAMESPACE, process.execPath, CLIENT, LISTEN, 'vc01.lab.test', `${milliseconds}`];
  const client = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const asking = new Promise<void>((resolve) => {
    client.stdout.on('data', (chunk) => {
      output += chunk;
      resolve();
    });
  });
  const ended = new Promise((resolve) => client.once('close', resolve));
  await asking;
  await new Promise((resolve) => setTimeout(resolve, 300));
  await during();
  await ended;
  return JSON.parse(output.split('\n')[1] ?? '') as Seen;
}

const many = (count: number): RecordData[] =>
  Array.from({ length: count }, (_, index) => ({
    fqdn: `host-${index}.lab.test`,
    type: 'A',
    value: `10.${100 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
  }));

describe('what a client sees', () => {
  test.each([
    [10_000, 100, 1_500],
    // How long that takes is the machine's; that it ends, and with the right answers, is ours.
    [100_000, Number.POSITIVE_INFINITY, 5_000],
  ])(
    'a reload of %d addresses holds answers back only shortly',
    async (count, bound, watched) => {
      const records = [...BASE, ...many(count)];
      await apply(desiredOf(records));
      expect(await dnsDhcpUnit.probe(host, desiredOf(records))).toMatchObject({ ok: true });
      const next = desiredOf([...records, record('extra.lab.test', 'A', '10.77.0.60')]);
      for (const file of dnsDhcpUnit.render(next, host.resolve)) await host.write(file);
      const change = { before: null, after: new Map(), written: [HOSTS_FILE], removed: [] };
      const look = async () => {
        const seen = await seenWhile(() => dnsDhcpUnit.activate(host, next, change), watched);
        return { ...seen, lost: seen.asked - seen.answered };
      };
      // A socket buffer holds some 200 waiting questions; a client that asks every millisecond overruns it only when the
      // reload takes longer than that.
      const limits = { longest: bound, lost: count > 10_000 ? watched : 1 };
      const { last, all } = await looks(look, limits);
      console.log(`reload of ${count}: ${JSON.stringify(all)}`);
      expect(all.map(({ wrong }) => wrong)).toEqual(all.map(() => 0));
      expect(last.lost).toBeLessThan(limits.lost);
      expect(last.longest).toBeLessThan(bound);
      await until(async () => (await dnsDhcpUnit.probe(host, next)).ok);
    },
    300_000,
  );

  test.each([
    [0, 1_000, 1_500],
    [10_000, 1_000, 1_500],
    [100_000, Number.POSITIVE_INFINITY, 5_000],
  ])(
    'a restart with %d addresses is short',
    async (count, bound, watched) => {
      const desired = desiredOf([...BASE, ...many(count)]);
      await apply(desired);
      await dnsDhcpUnit.probe(host, desired);
      const change = { before: null, after: new Map(), written: [CONF_FILE], removed: [] };
      const look = async () => {
        const seen = await seenWhile(() => dnsDhcpUnit.activate(host, desired, change), watched);
        return { ...seen, lost: seen.asked - seen.answered };
      };
      // Questions wait for the start. While dnsmasq reads its addresses they wait in the buffer of its socket, which holds
      // some 200 of them: see above.
      const limits = { longestSilence: bound, lost: count > 10_000 ? watched : 1 };
      const { last, all } = await looks(look, limits);
      console.log(`restart with ${count}: ${JSON.stringify(all)}`);
      expect(all.map(({ wrong }) => wrong)).toEqual(all.map(() => 0));
      expect(last.lost).toBeLessThan(limits.lost);
      expect(last.longestSilence).toBeLessThan(bound);
      await until(async () => (await dnsDhcpUnit.probe(host, desired)).ok);
    },
    300_000,
  );
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const hostName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => `${labels.join('.')}.lab.test`);
const printable = fc.stringMatching(/^[!#-~][ -~]{0,300}$/);
const whole = fc.integer({ min: 0, max: 65_535 });
const VALUES: Record<RecordData['type'], fc.Arbitrary<string>> = {
  A: fc.tuple(fc.nat(255), fc.nat(255)).map(([high, low]) => `10.3.${high}.${low}`),
  AAAA: fc.tuple(whole, whole).map(([high, low]) => `fd01::${high.toString(16)}:${low.toString(16)}`),
  CNAME: hostName,
  TXT: printable,
  SRV: fc.tuple(whole, whole, whole, hostName).map((parts) => parts.join(' ')),
  MX: fc.tuple(whole, hostName).map((parts) => parts.join(' ')),
  CAA: fc.tuple(fc.nat(255), printable).map(([flags, text]) => `${flags} issue "${text.replace(/["\\]/g, '')}x"`),
  PTR: hostName,
};
const reverse = fc.tuple(fc.nat(255), fc.nat(255)).map(([high, low]) => `${low}.${high}.3.10.in-addr.arpa`);
const OWNERS: Partial<Record<RecordData['type'], fc.Arbitrary<string>>> = {
  SRV: hostName.map((name) => `_svc._tcp.${name}`),
  PTR: reverse,
  TXT: hostName.map((name) => `_x.${name}`),
};
const anyRecord = fc
  .constantFrom(...RECORD_TYPES)
  .chain((type) =>
    fc.tuple(OWNERS[type] ?? hostName, VALUES[type]).map(([fqdn, value]) => canonicalRecord({ fqdn, type, value })),
  );

test('500 record sets that we accept are accepted by dnsmasq', async () => {
  const file = join(root, 'random.conf');
  const sets = fc.sample(fc.array(anyRecord, { minLength: 1, maxLength: 30 }), 500);
  let skipped = 0;
  for (const records of sets) {
    const desired = desiredOf(records);
    const [conf] = dnsDhcpUnit.render(desired, host.resolve);
    await writeFile(file, conf?.content ?? '');
    const plain: Host = { ...host, exec: (program, args) => run(program, args) };
    const result = await dnsDhcpUnit.check(plain, desired, () => file);
    // Rules across records (an alias beside something, a circle) are ours to refuse, before dnsmasq is asked.
    if (!result.program.startsWith('dnsmasq')) skipped += 1;
    else expect({ faults: result.faults, records: result.ok || records }).toEqual({ faults: [], records: true });
  }
  expect(skipped).toBeLessThan(50);
}, 300_000);
