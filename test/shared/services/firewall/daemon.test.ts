// The firewall with the real nft, in network namespaces of its own (needs root): what was saved is what passes, a session
// outlives an apply that refuses its like, what nft refuses changes nothing, and what we accept nft accepts.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import { createHost } from '../../../../shared/platform/host/create-host.ts';
import { rehearsalHost } from '../../../../shared/platform/host/rehearsal.ts';
import { differences } from '../../../../shared/services/firewall/activate.ts';
import type { FirewallDesired } from '../../../../shared/services/firewall/desired.ts';
import { readTable } from '../../../../shared/services/firewall/kernel-table.ts';
import { content, RULES_FILE } from '../../../../shared/services/firewall/render.ts';
import { ruleSet } from '../../../../shared/services/firewall/rule-set.ts';
import { canonicalRule, type FirewallRule } from '../../../../shared/services/firewall/rules.ts';
import { firewallUnit } from '../../../../shared/services/firewall/unit.ts';
import { anyDesired, BLANK, desired, FULL, rule, UI } from '../../../fixtures/firewall/desired.ts';
import { type Lab, makeLab } from '../../../setup/namespaces.ts';

const NO_CHANGE = { before: null, after: new Map(), written: [], removed: [] };

let lab: Lab;
let data: string;
let host: Host;
let servers: Program;
const started: Program[] = [];

/** A Node program in a namespace that is told things on a line each, and answers each with a line. */
class Program {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(namespace: string, script: string) {
    this.#child = spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', script], { stdio: 'pipe' });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    started.push(this);
  }
  async ask(line: string): Promise<string> {
    this.#child.stdin!.write(`${line}\n`);
    return this.next();
  }
  async next(): Promise<string> {
    return (await this.#lines.next()).value ?? 'ended';
  }
  end(): void {
    this.#child.stdin!.end();
    this.#child.kill('SIGKILL');
  }
}

/** Echoes on TCP and UDP, both families, and says when it listens. */
const SERVERS = `
const net = require('node:net'), dgram = require('node:dgram');
const tcp = [8080, 22, 443].map((port) => new Promise((done) => net.createServer((s) => s.on('error', () => {}).pipe(s)).listen(port, '::', done)));
const udp = [53, 5353].map((port) => new Promise((done) => {
  const s = dgram.createSocket('udp6');
  s.on('message', (m, r) => s.send(m, r.port, r.address));
  s.bind(port, '::', done);
}));
Promise.all([...tcp, ...udp]).then(() => console.log('listening'));
process.stdin.resume();`;

/** One try for each line \`tcp|udp address port [from]\`: answers open, refused or silent. */
const CLIENT = `
const net = require('node:net'), dgram = require('node:dgram');
const tries = {
  tcp: (host, port, localAddress) => new Promise((done) => {
    const s = net.connect({ host, port, localAddress });
    const end = (said) => (s.destroy(), done(said));
    s.setTimeout(400, () => end('silent'));
    s.on('connect', () => s.write('x')).on('data', () => end('open')).on('error', (e) => end(e.code === 'ECONNREFUSED' ? 'refused' : e.code));
  }),
  udp: (host, port) => new Promise((done) => {
    const s = dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const timer = setTimeout(() => (s.close(), done('silent')), 400);
    s.on('message', () => (clearTimeout(timer), s.close(), done('open')));
    s.on('error', (e) => (clearTimeout(timer), s.close(), done(e.code === 'ECONNREFUSED' ? 'refused' : e.code)));
    s.connect(port, host, () => s.send('x'));
  }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const [how, host, port, from] = line.split(' ');
  console.log(await tries[how](host, Number(port), from));
});`;

/** Holds one connection: each line goes there and comes back. */
const SESSION = `
const s = require('node:net').connect(8080, '10.77.0.1', () => console.log('open'));
s.on('data', (d) => console.log(String(d).trim())).on('error', (e) => console.log(e.code));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => s.write(line));`;

let client: Program;

const nft = (...args: string[]) =>
  spawnSync('ip', ['netns', 'exec', lab.appliance, 'nft', ...args], { encoding: 'utf8' });

beforeAll(async () => {
  lab = makeLab('fw');
  data = await mkdtemp(join(tmpdir(), 'groundcrew-firewall-'));
  const inside = (namespace: string, ...args: string[]) => spawnSync('ip', ['-n', namespace, ...args]);
  inside(lab.appliance, 'addr', 'add', '10.88.0.1/24', 'dev', 'lab0');
  inside(lab.appliance, 'addr', 'add', 'fd77::1/64', 'dev', 'mgmt0', 'nodad');
  inside(lab.client, 'addr', 'add', 'fd77::2/64', 'dev', 'c0', 'nodad');
  inside(lab.client, 'addr', 'add', '10.77.0.9/24', 'dev', 'c0');
  host = await createHost({ kind: 'namespace', namespace: lab.appliance, dataFolder: data, guard: GUARD });
  servers = new Program(lab.appliance, SERVERS);
  expect(await servers.next()).toBe('listening');
  client = new Program(lab.client, CLIENT);
}, 120_000);

afterAll(async () => {
  for (const program of started) program.end();
  lab.remove();
  await rm(data, { recursive: true, force: true });
});

/** As an apply does it: check, write, activate, probe. */
async function apply(wanted: FirewallDesired): Promise<string> {
  const [file] = firewallUnit.render(wanted, host.resolve);
  const staged = join(data, 'staged.nft');
  await writeFile(staged, file?.content ?? '');
  expect(await firewallUnit.check(host, wanted, () => staged)).toMatchObject({ ok: true, faults: [] });
  if (file) await host.write(file);
  else await host.remove(RULES_FILE);
  const said = await firewallUnit.activate(host, wanted, NO_CHANGE);
  expect(await firewallUnit.probe(host, wanted)).toMatchObject({ ok: true });
  return said;
}

const listeners = [{ interface: 'mgmt0', address: '10.77.0.1' }];
const open = (...openings: FirewallDesired['openings']) =>
  desired({ listeners, openings: [UI({ interfaces: ['mgmt0'] }), ...openings] });
const dns = { key: 'dns-dhcp', label: 'DNS', why: '', interfaces: ['lab0'], family: null, sources: [] };

describe('what passes', () => {
  test('without a table everything does', async () => {
    expect(await readTable(host)).toBeNull();
    expect(await client.ask('tcp 10.77.0.1 22')).toBe('open');
  });

  test('with one, what services need and nothing else, on both families', async () => {
    const said = await apply(open({ ...dns, protocol: 'udp', ports: [53] }));
    expect(said).toBe('nft replaced the table in one step.');
    const answers: Record<string, string> = {
      'tcp 10.77.0.1 8080': 'open',
      'tcp fd77::1 8080': 'open',
      'tcp 10.77.0.1 22': 'silent',
      'tcp fd77::1 22': 'silent',
      'tcp 10.88.0.1 8080': 'silent',
      'udp 10.88.0.1 53': 'open',
      'udp 10.88.0.1 5353': 'silent',
      'udp 10.77.0.1 53': 'silent',
    };
    for (const [question, answer] of Object.entries(answers)) {
      expect([question, await client.ask(question)]).toEqual([question, answer]);
    }
    expect(lab.inClient('ping', '-c1', '-W1', '10.77.0.1')).toMatch(/ 1 received/);
  }, 120_000);

  test('rules of the operator come first, with an answer or without', async () => {
    const rules = [
      rule('ssh', { protocol: 'tcp', ports: '22', source_cidr: '10.77.0.9', log: true }),
      rule('no', { action: 'reject', protocol: 'tcp', ports: '20-30, 443', interface: 'mgmt0' }),
      rule('not you', { action: 'drop', source_cidr: '10.77.0.9' }),
      rule('quiet', { action: 'reject', protocol: 'udp', ports: '53' }),
    ];
    await apply({ ...open({ ...dns, protocol: 'udp', ports: [53] }), rules });
    const answers: Record<string, string> = {
      'tcp 10.77.0.1 22 10.77.0.9': 'open',
      'tcp 10.77.0.1 22 10.77.0.2': 'refused',
      'tcp 10.77.0.1 443 10.77.0.9': 'refused',
      'tcp 10.77.0.1 8080 10.77.0.9': 'silent',
      'tcp 10.77.0.1 8080 10.77.0.2': 'open',
    };
    for (const [question, answer] of Object.entries(answers)) {
      expect([question, await client.ask(question)]).toEqual([question, answer]);
    }
    expect(await client.ask('udp 10.88.0.1 53')).not.toBe('open');
    const table = await readTable(host);
    const met = table!.rules.find(({ key }) => key === 'fwr_ssh')!;
    expect(met.packets).toBeGreaterThan(0);
  }, 120_000);

  test('pings only while they are answered', async () => {
    await apply({ ...open(), settings: { ...desired().settings, allow_ping: false } });
    expect(lab.inClient('ping', '-c1', '-W1', '10.77.0.1')).toMatch(/ 0 received/);
  });
});

test('a session outlives an apply that refuses its like', async () => {
  await apply(desired({ settings: { ...desired().settings, enabled: false } }));
  const session = new Program(lab.client, SESSION);
  expect(await session.next()).toBe('open');
  // The first table of all: the kernel has not followed this connection so far.
  await apply(open());
  expect(await session.ask('one')).toBe('one');
  const shut = { ...open(), rules: [rule('all', { action: 'drop', source_cidr: '10.77.0.0/24' })] };
  await apply(shut);
  expect(await session.ask('two')).toBe('two');
  expect(await client.ask('tcp 10.77.0.1 8080')).toBe('silent');
  expect(await client.ask('tcp fd77::1 8080')).toBe('open');
  expect(await session.ask('three')).toBe('three');
}, 120_000);

describe('the table', () => {
  test('what nft refuses leaves the former rules', async () => {
    await apply(FULL);
    const before = nft('list', 'table', 'inet', 'groundcrew').stdout;
    const [file] = firewallUnit.render(FULL, host.resolve);
    await host.write({ ...file!, content: file!.content.replace('dport 8080', 'dport 70022') });
    await expect(firewallUnit.activate(host, FULL, NO_CHANGE)).rejects.toThrow(
      /nft did not load the rules: .*Service out of range/,
    );
    const withoutNumbers = (text: string) => text.replaceAll(/packets \d+ bytes \d+/g, '');
    expect(withoutNumbers(nft('list', 'table', 'inet', 'groundcrew').stdout)).toBe(withoutNumbers(before));
    const refused = await firewallUnit.check(host, FULL, () => host.resolve(RULES_FILE));
    expect(refused).toMatchObject({ ok: false, program: 'nft -c -f' });
    expect(refused.faults[0]).toMatch(
      /^\/etc\/groundcrew\/nftables\/groundcrew\.nft:\d+:.*Error: Service out of range/,
    );
  });

  test('tables of others are left alone, also when ours goes', async () => {
    nft('add', 'table', 'inet', 'foreign');
    await apply(FULL);
    expect(await firewallUnit.activate(host, firewallUnit.nothing!, NO_CHANGE)).toBe(
      'The table is gone; nothing is filtered.',
    );
    // Once more: there is nothing to delete.
    await firewallUnit.activate(host, firewallUnit.nothing!, NO_CHANGE);
    expect(nft('list', 'tables').stdout).toBe('table inet foreign\n');
    expect(await firewallUnit.probe(host, firewallUnit.nothing!)).toMatchObject({ ok: true });
    nft('delete', 'table', 'inet', 'foreign');
  });

  test('what somebody changed is seen', async () => {
    await apply(FULL);
    expect(await firewallUnit.drift!(host, FULL)).toEqual([]);
    nft('insert', 'rule', 'inet', 'groundcrew', 'input', 'tcp', 'dport', '23', 'accept');
    expect(await firewallUnit.drift!(host, FULL)).toEqual(['it has the rule input : tcp dport 23 counter accept']);
    nft('flush', 'chain', 'inet', 'groundcrew', 'forward');
    expect((await firewallUnit.drift!(host, FULL)).length).toBeGreaterThan(3);
    expect(await firewallUnit.probe(host, FULL)).toMatchObject({ ok: false });
    await apply(FULL);
    expect(await firewallUnit.drift!(host, FULL)).toEqual([]);
  });

  test('hundreds of rules are loaded and read back', async () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      rule(`${n}`, {
        protocol: 'tcp',
        ports: Array.from({ length: 30 }, (_each, at) => 1000 + 2 * at).join(),
        source_cidr: `10.${n % 200}.${n >> 2}.0/24`,
        log: true,
      }),
    );
    await apply({ ...open(), rules: many });
    await apply(open());
  }, 120_000);
});

describe('ours and nft agree:', () => {
  const file = () => join(data, 'random.nft');
  const checked = async (text: string) => {
    await writeFile(file(), text);
    return host.exec('nft', ['-c', '-f', file()]);
  };

  test('300 random rule sets that ours accept are accepted by nft', async () => {
    let sets = 0;
    await fc.assert(
      fc.asyncProperty(anyDesired, async (wanted) => {
        sets++;
        expect(await checked(content(ruleSet(wanted)))).toMatchObject({ code: 0 });
      }),
      { numRuns: 300 },
    );
    expect(sets).toBe(300);
  }, 300_000);

  test('40 of them are loaded, and the kernel lists what was rendered', async () => {
    await fc.assert(
      fc.asyncProperty(anyDesired, async (wanted) => {
        await mkdir(dirname(host.resolve(RULES_FILE)), { recursive: true });
        await writeFile(host.resolve(RULES_FILE), content(ruleSet(wanted)));
        await firewallUnit.activate(host, wanted, NO_CHANGE);
        expect(differences(wanted, await readTable(host))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 300_000);

  /** A rule as it would be written if nobody had looked at it. */
  const naive = ({ interface: on, source_cidr, destination_cidr, protocol, ports }: FirewallRule): string => {
    const address = (cidr: string, end: string) =>
      cidr === '' ? '' : `${cidr.includes(':') ? 'ip6' : 'ip'} ${end} ${cidr}`;
    const port = ports === '' ? '' : protocol === 'any' ? `dport { ${ports} }` : `${protocol} dport { ${ports} }`;
    const parts = [on && `iifname "${on}"`, address(source_cidr, 'saddr'), address(destination_cidr, 'daddr'), port];
    return `table inet near {\n\tchain c {\n\t\t${parts.filter(Boolean).join(' ')} accept\n\t}\n}\n`;
  };

  const tcp = { protocol: 'tcp' } as const;
  const NEAR: Partial<FirewallRule>[] = [
    { ...tcp, ports: '22-20' },
    { ...tcp, ports: '65536' },
    { ...tcp, ports: '70000-80000' },
    { ...tcp, ports: '1-65536' },
    { ...tcp, ports: 'no-such-service' },
    { ...tcp, ports: '22--23' },
    { ...tcp, ports: '22,,; 23' },
    { ...tcp, ports: '22.5' },
    { ...tcp, ports: '-22' },
    { ...tcp, ports: '22-' },
    { protocol: 'any', ports: '22' },
    { protocol: 'icmp', ports: '22' },
    { source_cidr: '10.0.0.0/33' },
    { source_cidr: '10.0.0.0/' },
    { source_cidr: '10.0.0/24/8' },
    { source_cidr: '300.0.0.1' },
    { source_cidr: 'no.such.host.invalid' },
    { source_cidr: 'fd00::/129' },
    { source_cidr: 'fd00:::1' },
    { source_cidr: '::g' },
    { destination_cidr: '10.0.0.0/-1' },
    { destination_cidr: '10.0.0.1 10.0.0.2' },
    { destination_cidr: 'fe80::1%eth0/64' },
    { source_cidr: '10.0.0.0/8', destination_cidr: 'fd00::/64' },
    { source_cidr: 'fd00::/64', destination_cidr: '10.0.0.1/32' },
  ];
  test.each(NEAR.map((fields) => [JSON.stringify(fields), fields] as const))(
    '%s is refused by both',
    async (_text, fields) => {
      const typed = { ...BLANK, ...fields };
      expect((await checked(naive(typed))).code).not.toBe(0);
      expect(() => canonicalRule(typed)).toThrow(Problem);
    },
  );

  test('near-misses made from valid rules: whatever nft refuses, ours refuses', async () => {
    const broken = fc
      .tuple(
        fc.constantFrom('22', '8000-8100', '10.0.0.0/24', 'fd00:10::/64', '443, 80'),
        fc.constantFrom('source_cidr', 'destination_cidr', 'ports'),
        fc.nat(12),
        fc.constantFrom('', '-', '/', '.', ':', ',', '9', 'x', ' ', '33', '}', '"', '#', '\\'),
      )
      .map(([text, member, at, put]) => ({
        ...BLANK,
        ...tcp,
        [member]: text.slice(0, at) + put + text.slice(at + put.length),
      }));
    const found = { refused: 0, missed: [] as string[] };
    for (const typed of fc.sample(broken, { numRuns: 200, seed: 7 })) {
      if ((await checked(naive(typed))).code === 0) continue;
      found.refused++;
      // Empty members and comments are another rule, which ours may accept.
      try {
        const made = canonicalRule(typed);
        if ((await checked(content(ruleSet(desired({ rules: [made] }))))).code !== 0)
          found.missed.push(JSON.stringify(typed));
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
      }
    }
    expect(found).toEqual({ refused: expect.any(Number), missed: [] });
    expect(found.refused).toBeGreaterThan(80);
  }, 300_000);
});

test('a rehearsal checks with nft, and changes nothing', async () => {
  const rehearsal = rehearsalHost(data, GUARD);
  const staged = join(data, 'rehearsed.nft');
  await writeFile(staged, content(ruleSet(FULL)));
  const result = await firewallUnit.check(rehearsal, { ...FULL, listeners, operator: null }, () => staged);
  expect(result.ok).toBe(true);
  expect(await firewallUnit.activate(rehearsal, FULL, NO_CHANGE)).toMatch(/^Rehearsal/);
});
