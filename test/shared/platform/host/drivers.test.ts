// What every host driver rests on: running programs, replacing files, reading links; the rehearsal's promise; and a question
// to a name server.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decode, encode } from 'dns-packet';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import { execProgram } from '../../../../shared/ground/machine/exec.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { createHost } from '../../../../shared/platform/host/create-host.ts';
import { observeLinks, parseLinks } from '../../../../shared/platform/host/links.ts';
import { ask } from '../../../../shared/services/dns-dhcp/dns-question.ts';
import { until } from '../../../setup/until.ts';

let data = '';
let host: Host;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'groundcrew-host-'));
  host = await createHost({ kind: 'rehearsal', dataFolder: data, guard: GUARD });
});
afterAll(() => rm(data, { recursive: true, force: true }));

describe('exec', () => {
  test.each([
    [
      'exit code and both outputs',
      'sh',
      ['-c', 'echo out; echo err >&2; exit 3'],
      { code: 3, stdout: 'out\n', stderr: 'err\n' },
    ],
    ['no shell in between', 'echo', ['$(id)', ';', 'x'], { code: 0, stdout: '$(id) ; x\n' }],
    ['a missing program', 'groundcrew-no-such-program', [], { code: 127 }],
    ['a file that is no program', '/etc/passwd', [], { code: 126 }],
    ['an end by a signal', 'sh', ['-c', 'kill -9 $$'], { code: 128 }],
    ['a fixed environment', 'sh', ['-c', 'echo $HOME$GROUNDCREW_ADMIN_PASSWORD $LC_ALL'], { stdout: 'C\n' }],
  ])('%s', async (_name, program, args, expected) => {
    expect(await execProgram(program, args)).toMatchObject(expected);
  });

  test('input is handed over, and a program that ignores it does no harm', async () => {
    expect((await execProgram('cat', [], { input: 'häuser\n' })).stdout).toBe('häuser\n');
    expect((await execProgram('true', [], { input: 'x'.repeat(1 << 20) })).code).toBe(0);
  });

  test('a timeout ends the program and its children', async () => {
    // Which outlast this test.
    const result = await execProgram('sh', ['-c', 'sleep 60 & echo $!; wait'], { timeout: 2000 });
    expect(result).toMatchObject({ code: 124, stdout: expect.stringMatching(/^\d+\n$/) });
    const child = () => readFile(`/proc/${result.stdout.trim()}/stat`, 'utf8').catch(() => 'gone Z');
    await until(async () => / Z/.test(await child()));
  });

  test('a daemon that keeps the pipes open does not hold the answer back', async () => {
    const result = await execProgram('sh', ['-c', 'sleep 60 & echo $!']);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    process.kill(Number(result.stdout));
  });

  test('output is capped', async () => {
    const { stdout } = await execProgram('head', ['-c', '1000000', '/dev/zero']);
    expect(stdout).toHaveLength(256 * 1024);
  });
});

describe('files', () => {
  const path = '/etc/groundcrew/dnsmasq/dnsmasq.conf';

  test('written whole with its mode, replaced, read and removed, nothing left beside it', async () => {
    expect(await host.read(path)).toBeNull();
    await host.write({ path, content: 'one\n', mode: 0o640 });
    await host.write({ path, content: 'two\n', mode: 0o666 });
    expect(await host.read(path)).toBe('two\n');
    expect((await stat(host.resolve(path))).mode & 0o777).toBe(0o666);
    expect(await readdir(host.resolve('/etc/groundcrew/dnsmasq'))).toEqual(['dnsmasq.conf']);
    await host.remove(path);
    await host.remove(path);
    expect(await host.read(path)).toBeNull();
  });

  test('a stamp tells a change of a file, and when that was', async () => {
    expect(await host.stamp!(path)).toBeNull();
    await host.write({ path, content: 'one\n', mode: 0o644 });
    const first = (await host.stamp!(path))!;
    expect(await host.stamp!(path)).toEqual(first);
    const { ctimeMs } = await stat(host.resolve(path));
    expect(Math.abs(first.changed_at - ctimeMs)).toBeLessThan(2);
    // In place, as a daemon writes it.
    await writeFile(host.resolve(path), 'longer\n');
    const second = (await host.stamp!(path))!;
    expect(second.text).not.toBe(first.text);
    await host.write({ path, content: 'longer\n', mode: 0o644 });
    expect((await host.stamp!(path))!.text).not.toBe(second.text);
    await host.remove(path);
    expect(await host.stamp!(path)).toBeNull();
    await expect(host.stamp!('/etc/passwd')).rejects.toThrow('is not below');
  });

  test('a write that fails leaves nothing behind', async () => {
    await host.write({ path: `${path}/below`, content: '', mode: 0o644 });
    await expect(host.write({ path, content: 'x', mode: 0o644 })).rejects.toThrow();
    expect(await readdir(host.resolve('/etc/groundcrew/dnsmasq'))).toEqual(['dnsmasq.conf']);
  });

  test.each([
    '/etc/passwd',
    '/etc/groundcrew/../passwd',
    '/etc/groundcrewx/a',
    '/etc/groundcrew',
    'etc/groundcrew/a',
    '/etc/groundcrew//a',
  ])('outside of the roots: %s', async (outside) => {
    await expect(host.write({ path: outside, content: '', mode: 0o644 })).rejects.toThrow('is not below');
    await expect(host.read(outside)).rejects.toThrow('is not below');
    await expect(host.remove(outside)).rejects.toThrow('is not below');
  });
});

describe('rehearsal', () => {
  test('lies below the data folder and enforces nothing', async () => {
    expect(host).toMatchObject({ kind: 'rehearsal', label: 'Rehearsal', enforces: false });
    expect(host.resolve('/etc/groundcrew/a')).toBe(join(data, 'host/rehearsal/etc/groundcrew/a'));
    const daemon = { name: 'x', program: 'x', args: [], systemd: 'x.service', pidFile: '/run/x.pid' };
    await host.startDaemon(daemon);
    expect(await host.daemonRunning(daemon)).toBe(false);
  });

  test('runs checkers and nothing that could change the machine', async () => {
    expect((await host.exec('test', ['-e', '/'])).code).toBe(0);
    expect(await host.exec('ip', ['link', 'set', 'lo', 'down'])).toMatchObject({ code: 126 });
    expect(await host.exec('dnsmasq', ['-C', '/x'])).toMatchObject({ code: 126 });
  });

  test('shows the real links', async () => {
    const links = await host.links();
    expect(links.map((link) => link.name)).not.toContain('lo');
  });
});

test.each([
  ['a malformed namespace', { kind: 'namespace', namespace: 'a b' }, /1 to 64 letters/],
  ['no namespace', { kind: 'namespace' }, /1 to 64 letters/],
  [
    'a missing namespace',
    { kind: 'namespace', namespace: 'gct-network-none' },
    /does not exist; make it with: ip netns add/,
  ],
] as const)('the start is refused: %s', async (_name, config, message) => {
  await expect(createHost({ ...config, dataFolder: data, guard: GUARD })).rejects.toThrow(message);
});

describe('links from iproute2', () => {
  const ether = (ifname: string, more: object = {}) => ({
    ifname,
    flags: ['BROADCAST', 'UP', 'LOWER_UP'],
    mtu: 1500,
    link_type: 'ether',
    address: '00:50:56:AA:BB:01',
    addr_info: [],
    ...more,
  });
  const address = (family: string, local: string, prefixlen: number) => ({ family, local, prefixlen });

  test('hardware with its addresses, speed, driver and permanent MAC address', () => {
    const info = [address('inet', '10.0.0.5', 24), address('inet6', 'fd00::5', 64), address('inet6', 'fe80::1', 64)];
    const json = JSON.stringify([{}, ether('ens1', { permaddr: '00:50:56:AA:BB:99', addr_info: info })]);
    expect(parseLinks(json, 'ens1|10000|vmxnet3\nlo||\n')).toEqual([
      {
        name: 'ens1',
        mac_address: '00:50:56:aa:bb:99',
        driver: 'vmxnet3',
        speed_mbps: 10_000,
        mtu: 1500,
        link: 'up',
        ipv4_cidrs: ['10.0.0.5/24'],
        ipv6_cidrs: ['fd00::5/64'],
        vlan: null,
      },
    ]);
  });

  test('a VLAN names its parent; no carrier is down; unknown speed is null', () => {
    const json = JSON.stringify([
      ether('ens1', { flags: ['NO-CARRIER', 'UP'] }),
      ether('ens1.20', { link: 'ens1', linkinfo: { info_kind: 'vlan', info_data: { protocol: '802.1Q', id: 20 } } }),
    ]);
    const links = parseLinks(json, 'ens1|-1|\n');
    expect(links[0]).toMatchObject({ link: 'down', speed_mbps: null, driver: null });
    expect(links[1]).toMatchObject({ vlan: { parent: 'ens1', id: 20 } });
  });

  test('a default route names its gateway, the first of several, and of other links none', () => {
    const json = JSON.stringify([ether('ens1'), ether('ens2'), ether('ens3')]);
    const routes = [
      { dst: 'default', gateway: '10.0.0.1', dev: 'ens1', protocol: 'dhcp', metric: 100 },
      { dst: 'default', gateway: '10.0.0.2', dev: 'ens1', metric: 200 },
      { dst: 'default', dev: 'ens2' },
      { dst: 'default', nexthops: [{ gateway: '10.3.0.1', dev: 'ens3' }] },
    ];
    const links = parseLinks(json, '', JSON.stringify(routes));
    expect(links.map(({ ipv4_gateway }) => ipv4_gateway)).toEqual(['10.0.0.1', undefined, undefined]);
  });

  test('routes that can’t be read leave the links as they are', async () => {
    const run = async (program: string, args: string[]) => {
      const links = args.includes('addr');
      return {
        code: links || program === 'sh' ? 0 : 1,
        stdout: links ? JSON.stringify([ether('ens1')]) : 'x',
        stderr: '',
      };
    };
    expect(await observeLinks(run)).toEqual([expect.objectContaining({ name: 'ens1' })]);
  });

  test.each([
    ['loopback', { flags: ['LOOPBACK'], link_type: 'loopback' }],
    ['a bridge', { linkinfo: { info_kind: 'bridge' } }],
    ['a tunnel', { link_type: 'gre' }],
    ['a tap', { linkinfo: { info_kind: 'tun' } }],
    ["a container's wire", { master: 'docker0', linkinfo: { info_kind: 'veth' } }],
    ['an intermediate device', { linkinfo: { info_kind: 'ifb' } }],
  ])('left out: %s', (_name, more) => expect(parseLinks(JSON.stringify([ether('x', more)]), '')).toEqual([]));

  test('no output is no links', () => expect(parseLinks('', '')).toEqual([]));
});

test('a question is answered whatever else the server sends before', async () => {
  const server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const { id, questions } = decode(question);
    const answers = [{ type: 'A' as const, name: questions![0]!.name, data: '10.20.0.15' }];
    const good = encode({ type: 'response', id, questions, answers });
    const other = encode({ type: 'response', id: id! ^ 1, questions, answers: [] });
    for (const packet of [Buffer.of(1), Buffer.alloc(0), good.subarray(0, 14), other, good]) {
      server.send(packet, port, address);
    }
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    // Each has a second, which may pass on a machine that is busy.
    for (let tries = 1; ; tries++) {
      const { answers, error } = await ask('127.0.0.1', server.address().port, 'sddc01.lab.test/A');
      if (error === null || tries === 10) return expect([answers, error]).toEqual([['10.20.0.15'], null]);
    }
  } finally {
    server.close();
  }
}, 120_000);
