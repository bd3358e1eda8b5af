// The network unit with the real systemd-networkd in a network namespace: what it puts in force, what it leaves alone,
// and what a client sees meanwhile that asks every five milliseconds.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../../../shared/platform/host/namespace.ts';
import { readerArguments } from '../../../../shared/platform/host/networkd.ts';
import { rehearsalHost } from '../../../../shared/platform/host/rehearsal.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { activate } from '../../../../shared/platform/network/activate.ts';
import { check } from '../../../../shared/platform/network/check.ts';
import { drift } from '../../../../shared/platform/network/drift.ts';
import { networkdDaemon } from '../../../../shared/platform/network/engine.ts';
import { facts } from '../../../../shared/platform/network/facts.ts';
import { probe } from '../../../../shared/platform/network/probe.ts';
import { render } from '../../../../shared/platform/network/render.ts';
import { canMakeNamespaces, type Lab, makeLab, pidsOf } from '../../../setup/namespaces.ts';
import { row } from '../interfaces/rows.ts';

let lab: Lab;
let data: string;
let host: Host;
const ip = (...args: string[]) => execFileSync('ip', ['-n', lab.appliance, ...args], { encoding: 'utf8' });
const inside = (...args: string[]) =>
  execFileSync('ip', ['netns', 'exec', lab.appliance, ...args], { encoding: 'utf8' }).trim();
const addresses = (dev: string) => ip('-o', 'addr', 'show', 'dev', dev);

const mgmt = (fields: Partial<NetworkInterface> = {}) =>
  row('mgmt0', { role: 'management', ipv4_cidr: '10.77.0.1/24', ipv4_gateway: '10.77.0.2', ...fields });
const labSide = (fields: Partial<NetworkInterface> = {}) =>
  row('lab0', { role: 'access', ipv4_cidr: '10.88.0.1/24', ipv6_enabled: true, ipv6_cidr: 'fd88::1/64', ...fields });

beforeAll(async () => {
  if (!canMakeNamespaces()) throw new Error('needs root');
  lab = makeLab('networkd');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-networkd-'));
  host = await namespaceHost(lab.appliance, data);
  // A link that the appliance does not configure, with everything that somebody else may have put there.
  for (const name of ['other0', 'more0']) {
    execFileSync('ip', [
      'link',
      'add',
      name,
      'netns',
      lab.appliance,
      'type',
      'veth',
      'peer',
      'name',
      `p-${name}`,
      'netns',
      lab.client,
    ]);
    execFileSync('ip', ['-n', lab.client, 'link', 'set', `p-${name}`, 'up']);
    ip('link', 'set', name, 'up');
  }
  ip('addr', 'add', '10.66.0.1/24', 'dev', 'other0');
  ip('route', 'add', '10.67.0.0/16', 'via', '10.66.0.2');
  ip('rule', 'add', 'from', '10.66.0.1', 'lookup', '100');
  execFileSync('ip', ['-n', lab.client, 'addr', 'add', 'fd88::2/64', 'dev', 'c1', 'nodad']);
});

afterAll(() => {
  lab?.remove();
  rmSync(data, { recursive: true, force: true });
});

let inForce: NetworkInterface[] | null = null;

/** Puts the files in place as an apply does, activates, and asks the kernel. */
async function apply(...interfaces: NetworkInterface[]): Promise<string> {
  const desired = { interfaces };
  const files = render(desired);
  const former = inForce === null ? [] : render({ interfaces: inForce });
  const written: string[] = [];
  for (const file of files) {
    if ((await host.read(file.path)) === file.content) continue;
    await host.write(file);
    written.push(file.path);
  }
  const removed = former.map(({ path }) => path).filter((path) => !files.some((file) => file.path === path));
  for (const path of removed) await host.remove(path);
  const before = inForce && facts({ interfaces: inForce });
  const said = await activate(host, desired, { before, after: facts(desired), written, removed });
  inForce = interfaces;
  expect(await probe(host, desired)).toMatchObject({ ok: true });
  expect(await drift(host, desired)).toEqual([]);
  return said;
}

/** Sends a ping every 5 ms to each address while `work` runs and a little longer; answers how many got no answer. */
async function lostDuring(targets: string[], work: () => Promise<unknown>): Promise<number[]> {
  const runs = targets.map((target) => {
    const args = ['netns', 'exec', lab.client, 'ping', '-q', '-i', '0.005', '-W', '1', '-c', '200', target];
    const child = spawn('ip', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    return new Promise<number>((done) =>
      child.on('close', () => {
        const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(said) ?? [];
        done(sent === '200' ? 200 - Number(received) : 200);
      }),
    );
  });
  await new Promise((done) => setTimeout(done, 200));
  await work();
  return Promise.all(runs);
}

function untouched(): void {
  expect(addresses('other0')).toContain('10.66.0.1/24');
  expect(ip('route', 'show', 'dev', 'other0')).toContain('10.67.0.0/16 via 10.66.0.2');
}

test('addresses of both families, gateway and MTU; the links of others keep what they have', async () => {
  expect(await apply(mgmt(), labSide({ mtu: 1400 }))).toBe('systemd-networkd was started: mgmt0, lab0 as configured');
  expect(ip('route', 'show', 'default')).toMatch(/^default via 10.77.0.2 dev mgmt0 proto static metric 100/);
  expect(addresses('mgmt0')).toContain('10.77.0.1/24 brd 10.77.0.255');
  // Usable at once: not tentative.
  expect(addresses('lab0')).not.toMatch(/fd88::1\/64 [^\\]*tentative/);
  expect(lab.inClient('ping', '-c1', '-W1', '10.88.0.1')).toMatch(/ 1 received/);
  expect(lab.inClient('ping', '-c1', '-W1', 'fd88::1')).toMatch(/ 1 received/);
  untouched();
  const [pid] = pidsOf(lab.appliance, 'systemd-networkd');
  expect(await apply(mgmt(), labSide({ mtu: 1400 }))).toBe('systemd-networkd reloaded: mgmt0, lab0 as configured');
  expect(pidsOf(lab.appliance, 'systemd-networkd')).toEqual([pid]);
}, 120_000);

test('a client of another interface loses nothing, one of the changed interface almost nothing', async () => {
  const [other, own] = await lostDuring(['10.77.0.1', '10.88.0.1'], () =>
    apply(mgmt(), labSide({ mtu: 1500, ipv6_cidr: 'fd88::9/64' })),
  );
  expect(other).toBe(0);
  expect(own).toBeLessThanOrEqual(2);
  const [moved] = await lostDuring(['10.77.0.1'], () => apply(mgmt({ mtu: 1450 }), labSide()));
  expect(moved).toBeLessThanOrEqual(2);
  const [first] = await lostDuring(['10.77.0.1'], () =>
    apply(mgmt({ ipv4_gateway: '' }), labSide({ ipv4_cidr: '10.88.7.1/24' })),
  );
  expect(first).toBeLessThanOrEqual(2);
  expect(ip('route', 'show', 'default')).toBe('');
  expect(addresses('lab0')).not.toContain('10.88.0.1');
  untouched();
}, 120_000);

test('on a configured link foreign addresses and routes stay until its file changes, and go then', async () => {
  await apply(mgmt(), labSide());
  ip('addr', 'add', '10.99.0.1/24', 'dev', 'lab0');
  ip('route', 'add', '10.98.0.0/16', 'via', '10.88.0.2');
  await apply(mgmt({ mtu: 1400 }), labSide());
  expect(addresses('lab0')).toContain('10.99.0.1/24');
  expect(ip('route')).toContain('10.98.0.0/16');
  await apply(mgmt({ mtu: 1400 }), labSide({ mtu: 1400 }));
  expect(addresses('lab0')).not.toContain('10.99.0.1');
  expect(ip('route')).not.toContain('10.98.0.0/16');
  untouched();
}, 120_000);

test('disabled: down and without addresses; enabled again; unused: left up without what was ours', async () => {
  await apply(mgmt(), labSide({ enabled: false }));
  expect(addresses('lab0')).toBe('');
  expect(ip('link', 'show', 'lab0')).not.toMatch(/<[^>]*\bUP\b/);
  await apply(mgmt(), labSide());
  expect(lab.inClient('ping', '-c2', '-W1', '10.88.0.1')).toMatch(/ [12] received/);
  await apply(mgmt(), labSide({ role: 'unused' }));
  expect(addresses('lab0')).not.toMatch(/10\.88|fd88/);
  expect(ip('link', 'show', 'lab0')).toMatch(/<[^>]*\bUP\b/);
  untouched();
}, 120_000);

test('a trunk carries no addresses, and one that somebody put there is taken away', async () => {
  ip('addr', 'add', '10.88.3.1/24', 'dev', 'lab0');
  const trunk = row('lab0', { mode: 'trunk' });
  await apply(mgmt(), trunk);
  expect(addresses('lab0')).toBe('');
  ip('addr', 'add', '10.88.3.1/24', 'dev', 'lab0');
  const desired = { interfaces: [mgmt(), trunk] };
  expect(await probe(host, desired)).toEqual({
    ok: false,
    said: 'kernel: lab0 has 10.88.3.1/24, though a trunk carries no addresses',
  });
  await apply(mgmt(), trunk);
}, 120_000);

test('what somebody changed by hand is named, and put back without touching the other links', async () => {
  await apply(mgmt(), labSide({ ipv4_gateway: '10.88.0.2' }));
  ip('addr', 'del', '10.88.0.1/24', 'dev', 'lab0');
  ip('link', 'set', 'lab0', 'mtu', '1300');
  const desired = { interfaces: inForce! };
  expect((await probe(host, desired)).said).toBe(
    'kernel: lab0 lacks 10.88.0.1/24, lab0 has MTU 1300 instead of 1500, lab0 lacks the default route via 10.88.0.2',
  );
  const [lost] = await lostDuring(['10.77.0.1'], () => apply(...inForce!));
  expect(lost).toBe(0);
  ip('link', 'set', 'lab0', 'down');
  ip('route', 'add', 'default', 'via', '10.77.0.9', 'metric', '7');
  expect(await drift(host, desired)).toEqual([
    'mgmt0 has a default route via 10.77.0.9 that was not applied',
    'lab0 is down',
    'lab0 lacks fd88::1/64',
    'lab0 lacks the default route via 10.88.0.2',
  ]);
  await apply(...inForce!);
}, 120_000);

test('a killed networkd is started again, and what it configured has stayed meanwhile', async () => {
  process.kill(pidsOf(lab.appliance, 'systemd-networkd')[0]!, 'SIGKILL');
  const [lost] = await lostDuring(['10.88.0.1'], async () => {
    expect(await apply(...inForce!)).toMatch(/^systemd-networkd was started/);
  });
  expect(lost).toBe(0);
  // Stopped in order, it takes nothing along either, and a second life finds what was removed meanwhile.
  await host.stopDaemon(networkdDaemon(host));
  ip('addr', 'del', 'fd88::1/64', 'dev', 'lab0');
  await apply(...inForce!);
}, 120_000);

test('addresses that others left are taken over: a lifetime, a label, a missing broadcast address', async () => {
  await apply(mgmt({ ipv4_cidr: '10.77.0.3/24' }), labSide());
  await host.stopDaemon(networkdDaemon(host));
  ip('addr', 'add', '10.77.0.1/24', 'dev', 'mgmt0', 'label', 'mgmt0:7');
  ip('addr', 'change', '10.88.0.1/24', 'dev', 'lab0', 'valid_lft', '60', 'preferred_lft', '60');
  await apply(mgmt(), labSide());
  expect(addresses('mgmt0')).toMatch(/10.77.0.1\/24 brd 10.77.0.255 scope global mgmt0\\\s+valid_lft forever/);
  expect(addresses('lab0')).toMatch(/10.88.0.1\/24 brd 10.88.0.255 scope global lab0\\\s+valid_lft forever/);
  expect(addresses('mgmt0')).not.toContain('10.77.0.3');
}, 120_000);

test('interfaces with the role route forward between each other, and no others', async () => {
  const client = (...args: string[]) => execFileSync('ip', ['-n', lab.client, ...args]);
  const far = (...args: string[]) => lab.inClient('ping', '-c1', '-W1', ...args);
  const routing = (role: 'route' | 'access') => [
    mgmt({ ipv4_gateway: '' }),
    labSide({ role }),
    row('more0', { role: 'route', ipv4_cidr: '10.55.0.1/24', ipv6_enabled: true, ipv6_cidr: 'fd55::1/64' }),
  ];
  const far0 = `gct-networkd-${process.pid}-far`;
  execFileSync('ip', ['netns', 'add', far0]);
  try {
    client('link', 'set', 'p-more0', 'netns', far0);
    const inFar = (...args: string[]) => execFileSync('ip', ['-n', far0, ...args]);
    inFar('link', 'set', 'p-more0', 'up');
    inFar('addr', 'add', '10.55.0.2/24', 'dev', 'p-more0');
    inFar('addr', 'add', 'fd55::2/64', 'dev', 'p-more0', 'nodad');
    inFar('route', 'add', 'default', 'via', '10.55.0.1');
    inFar('route', 'add', 'default', 'via', 'fd55::1');
    client('route', 'replace', '10.55.0.0/24', 'via', '10.88.0.1');
    client('route', 'replace', 'fd55::/64', 'via', 'fd88::1');
    await apply(...routing('route'));
    // The kernel drops what is sent in the second after a link came up.
    expect(far('-c3', '10.55.0.2')).toMatch(/ [1-3] received/);
    expect(far('-c3', 'fd55::2')).toMatch(/ [1-3] received/);
    // Taken away by hand: named, and put back by an apply that changes nothing.
    for (const family of ['-4', '-6']) ip(family, 'rule', 'del', 'pref', '32001');
    inside('sh', '-c', 'echo 0 >/proc/sys/net/ipv4/ip_forward');
    expect(await drift(host, { interfaces: inForce! })).toEqual([
      'the kernel does not forward packets',
      'no rule keeps IPv4 of other interfaces from being forwarded',
      'no rule keeps IPv6 of other interfaces from being forwarded',
    ]);
    await apply(...routing('route'));
    // Through an interface with another role nothing gets in, although the switch of the machine is on.
    client('route', 'replace', '10.55.0.0/24', 'via', '10.77.0.1');
    expect(far('10.55.0.2')).toMatch(/ 0 received/);
    client('route', 'replace', '10.55.0.0/24', 'via', '10.88.0.1');
    // Neither does anything get in through one that had the role, not even when networkd died before it lost it.
    process.kill(pidsOf(lab.appliance, 'systemd-networkd')[0]!, 'SIGKILL');
    await apply(...routing('access'));
    for (const family of ['-4', '-6']) expect(ip(family, 'rule')).not.toContain('iif lab0');
    expect(far('10.55.0.2')).toMatch(/ 0 received/);
    expect(far('fd55::2')).toMatch(/ 0 received/);
    expect(lab.inClient('ping', '-c1', '-W1', '10.88.0.1')).toMatch(/ 1 received/);
    const [management, access] = routing('access');
    await apply(management!, access!);
    expect(inside('cat', '/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding')).toBe('0\n0');
    expect(ip('rule')).not.toMatch(/prohibit|32000/);
    expect(ip('rule')).toContain('from 10.66.0.1 lookup 100');
  } finally {
    execFileSync('ip', ['netns', 'del', far0]);
  }
}, 120_000);

test('a link of somebody else that networkd gave up on keeps nobody from an apply', async () => {
  const exec: Host['exec'] = async (program, args, options) => {
    if (!args.includes('--json=short')) return own.exec(program, args, options);
    const stdout = JSON.stringify({ Interfaces: [{ Name: 'other0', AdministrativeState: 'failed' }] });
    return { code: 0, stdout, stderr: '' };
  };
  const own = host;
  host = { ...own, exec };
  try {
    expect(await apply(mgmt(), labSide())).toBe('systemd-networkd reloaded: mgmt0, lab0 as configured');
  } finally {
    host = own;
  }
}, 120_000);

test('the check has networkd read the files, says what it says, and leaves no trace', async () => {
  const staged = (path: string) => join(data, 'staged', path);
  const interfaces = [mgmt(), labSide({ role: 'route' }), row('ens30', { mode: 'trunk' })];
  const files = render({ interfaces });
  const stage = (content: (text: string) => string) => {
    for (const file of files) {
      mkdirSync(dirname(staged(file.path)), { recursive: true, mode: 0o700 });
      writeFileSync(staged(file.path), content(file.content), { mode: 0o600 });
    }
  };
  const machine = () => [
    execFileSync('ip', ['-d', 'addr'], { encoding: 'utf8' }).replaceAll(/valid_lft \d+|preferred_lft \d+/g, ''),
    execFileSync('sysctl', ['-a', '--pattern', '^net\\.ipv[46]\\.conf'], { encoding: 'utf8', stdio: 'pipe' }),
    readFileSync('/proc/self/mounts', 'utf8'),
    readdirSync('/etc/systemd/network').join(),
  ];
  const before = machine();
  for (const on of [host, rehearsalHost(data, GUARD)]) {
    stage((text) => text);
    const sound = await check(on, { interfaces }, staged);
    expect(sound).toMatchObject({ ok: true, faults: [], program: 'systemd-networkd and groundcrew network rules' });
    stage((text) => text.replace('10.88.0.1/24', '10.88.0.1/33').replace('DHCP=no', 'DHPC=no'));
    const broken = await check(on, { interfaces }, staged);
    expect(broken.faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^\/etc\/systemd\/network\/40-groundcrew-lab0.network:\d+: Invalid address '10.88.0.1\/33'/,
        ),
        expect.stringMatching(/^\/etc\/systemd\/network\/40-groundcrew-mgmt0.network:\d+: Unknown key 'DHPC'/),
      ]),
    );
  }
  expect(machine()).toEqual(before);
  // Of unshare a rehearsal runs this and nothing else.
  const reader = readerArguments(data);
  for (const args of [['--net', 'true'], reader.slice(1), [...reader, '/'], [...reader.slice(0, -1), '-delete']]) {
    expect(await rehearsalHost(data, GUARD).exec('unshare', args)).toMatchObject({ code: 126 });
  }
}, 120_000);
