// The namespace driver and the network unit on real links: needs root and iproute2; run by the system suite.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { createHost } from '../../../../shared/platform/host/create-host.ts';
import { mergeDiscovered } from '../../../../shared/platform/interfaces/discovery.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { activate } from '../../../../shared/platform/network/activate.ts';
import { check } from '../../../../shared/platform/network/check.ts';
import { facts } from '../../../../shared/platform/network/facts.ts';
import { probe } from '../../../../shared/platform/network/probe.ts';
import { render } from '../../../../shared/platform/network/render.ts';
import { endProcesses } from '../../../setup/namespaces.ts';
import { trunk, vlan } from '../interfaces/rows.ts';

const NAMESPACE = `gct-network-${process.pid}`;
const NOW = '2026-01-02T00:00:00.000Z';
let data = '';
let host: Host;
const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8' });
const inside = (...args: string[]) => ip('-n', NAMESPACE, ...args);
const addresses = (dev: string) => inside('-o', 'addr', 'show', 'dev', dev);

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'groundcrew-namespace-'));
  ip('netns', 'add', NAMESPACE);
  inside('link', 'set', 'lo', 'up');
  inside(
    'link',
    'add',
    'gct0',
    'address',
    '02:00:00:00:77:00',
    'type',
    'veth',
    'peer',
    'name',
    'gct1',
    'address',
    '02:00:00:00:77:01',
  );
  inside('link', 'add', 'gctbr', 'type', 'bridge');
  inside('addr', 'add', '10.77.0.5/24', 'dev', 'gct0');
  inside('addr', 'add', '10.77.0.200/24', 'dev', 'gct0');
  inside('link', 'set', 'gct0', 'up');
  inside('link', 'set', 'gct1', 'up');
  host = await createHost({ kind: 'namespace', namespace: NAMESPACE, dataFolder: data, guard: GUARD });
});
afterAll(async () => {
  endProcesses(NAMESPACE);
  spawnSync('ip', ['netns', 'del', NAMESPACE]);
  await rm(data, { recursive: true, force: true });
});

const change = (before: NetworkInterface[] | null, after: NetworkInterface[]) => ({
  before: before && facts({ interfaces: before }),
  after: facts({ interfaces: after }),
  written: [],
  removed: [],
});
/** Activates twice: the second time must find nothing to do and harm nothing. */
async function apply(before: NetworkInterface[] | null, interfaces: NetworkInterface[]): Promise<void> {
  for (const file of render({ interfaces })) await host.write(file);
  await activate(host, { interfaces }, change(before, interfaces));
  await activate(host, { interfaces }, change(interfaces, interfaces));
  expect(await probe(host, { interfaces })).toMatchObject({ ok: true });
}

test('links are discovered, renamed, configured and read back', async () => {
  expect(host).toMatchObject({ kind: 'namespace', label: `Namespace ${NAMESPACE}`, enforces: true });
  const first = mergeDiscovered([], await host.links(), NOW).upserts;
  const found = [...first].sort((a, b) => a.name.localeCompare(b.name));
  expect(found.map(({ name, role, ipv4_cidr, driver }) => [name, role, ipv4_cidr, driver])).toEqual([
    ['gct0', 'management', '10.77.0.5/24', 'veth'],
    ['gct1', 'unused', '', 'veth'],
  ]);
  expect((await check(host, { interfaces: found }, (path) => path)).faults).toEqual([]);

  inside('link', 'set', 'gct1', 'down');
  inside('link', 'set', 'gct1', 'name', 'gct9');
  const renamed = mergeDiscovered(found, await host.links(), NOW);
  expect(renamed.renames).toEqual([{ from: 'gct1', to: 'gct9' }]);

  const management = found[0]!;
  const base = [
    { ...management, ipv4_gateway: '10.77.0.1' },
    { ...found[1]!, name: 'gct9', role: 'access' as const, ipv4_cidr: '10.78.0.1/24', mtu: 1400, enabled: true },
  ];
  await apply(null, base);
  expect(addresses('gct9')).toContain('10.78.0.1/24');
  expect(inside('route', 'show', 'default')).toMatch(/^default via 10.77.0.1 dev gct0 proto static metric 100/);

  // The old address leaves, and so does a foreign one: what is on a configured link is as configured.
  const moved = [
    { ...base[0]!, ipv4_cidr: '10.77.0.6/24' },
    { ...base[1]!, ipv6_enabled: true, ipv6_cidr: 'fd78::1/64' },
  ];
  await apply(base, moved);
  expect(addresses('gct0')).not.toContain('10.77.0.5/');
  expect(addresses('gct0')).toContain('10.77.0.6/24');
  expect(addresses('gct0')).not.toContain('10.77.0.200/');
  expect(inside('route', 'show', 'default')).toContain('via 10.77.0.1');
  expect(addresses('gct9')).toContain('fd78::1/64');

  const widened = [
    { ...moved[0]!, ipv4_gateway: '' },
    { ...moved[1]!, ipv6_cidr: 'fd78::1/56' },
  ];
  await apply(moved, widened);
  expect(addresses('gct9')).toContain('fd78::1/56');
  expect(inside('route', 'show', 'default')).toBe('');

  const disabled = [widened[0]!, { ...widened[1]!, enabled: false }];
  await apply(widened, disabled);
  expect(addresses('gct9')).not.toContain('10.78.0.1');
  expect((await host.links()).find(({ name }) => name === 'gct9')?.link).toBe('down');

  inside('addr', 'del', '10.77.0.6/24', 'dev', 'gct0');
  expect(await probe(host, { interfaces: disabled })).toEqual({ ok: false, said: 'kernel: gct0 lacks 10.77.0.6/24' });
});

test('a kernel without 802.1Q is found out before the apply, or makes the link', async () => {
  inside('link', 'add', 'ens30', 'type', 'veth', 'peer', 'name', 'gctpeer');
  const interfaces = [trunk(), vlan(7)];
  const faults = (await check(host, { interfaces }, (path) => path)).faults.filter((fault) => fault.includes('802.1Q'));
  const run = activate(host, { interfaces }, change(null, interfaces));
  if (faults.length > 0)
    await expect(run).rejects.toThrow('ens30.7 could not be configured: the kernel has no 802.1Q support');
  else expect(await run).toContain('ens30.7');
});

test('a daemon is started once, adopted again, reloaded, told apart from a stranger, and stopped', async () => {
  const pidFile = '/run/groundcrew/dnsmasq.pid';
  const args = ['--conf-file=/dev/null', '--port=0', `--pid-file=${host.resolve(pidFile)}`, '--user=root'];
  const daemon = { name: 'dnsmasq', program: 'dnsmasq', args, systemd: 'x.service', pidFile };
  const pid = () => readFile(host.resolve(pidFile), 'utf8').catch(() => null);
  expect(await host.daemonRunning(daemon)).toBe(false);
  await host.startDaemon(daemon);
  const first = await pid();
  expect(first).toMatch(/^\d+\n$/);

  const again = await createHost({ kind: 'namespace', namespace: NAMESPACE, dataFolder: data, guard: GUARD });
  await again.startDaemon(daemon);
  await again.reloadDaemon(daemon);
  expect(await again.daemonRunning(daemon)).toBe(true);
  expect(await pid()).toBe(first);
  // The same process under another program's name is a stranger.
  expect(await again.daemonRunning({ ...daemon, program: 'chronyd' })).toBe(false);

  await again.stopDaemon(daemon);
  expect([await host.daemonRunning(daemon), await pid()]).toEqual([false, null]);
  // Gone, or ended and not yet collected by its parent.
  expect(await readFile(`/proc/${first?.trim()}/cmdline`, 'utf8').catch(() => '')).toBe('');

  // A process of the same program outside of the namespace is a stranger too, and isn't signalled.
  const own = { ...daemon, program: process.execPath };
  await writeFile(host.resolve(pidFile), `${process.pid}\n`);
  expect(await host.daemonRunning(own)).toBe(false);
  await host.stopDaemon(own);
  await expect(host.reloadDaemon(daemon)).rejects.toThrow('dnsmasq is not running');
  await expect(host.startDaemon({ ...daemon, args: ['--no-such-option'] })).rejects.toThrow('dnsmasq did not start: ');
});

test('programs run inside, a missing one answers 127', async () => {
  expect((await host.exec('ip', ['link', 'show', 'gct0'])).code).toBe(0);
  expect((await host.exec('groundcrew-no-such-program', [])).code).toBe(127);
});
