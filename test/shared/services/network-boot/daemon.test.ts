// What a running dnsmasq tells machines that boot, scope by scope (needs root and busybox): the listener of their own
// segment, the one that was chosen for their scope, or nothing.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BootScope } from '../../../../shared/platform/units/unit.ts';
import type { NetworkBootDesired } from '../../../../shared/services/network-boot/desired.ts';
import { FRAGMENT_FILE } from '../../../../shared/services/network-boot/files.ts';
import { pointedTo } from '../../../../shared/services/network-boot/listening.ts';
import { render } from '../../../../shared/services/network-boot/render.ts';
import { whyWords } from '../../../../shared/services/network-boot/words.ts';
import { LAB } from '../../../fixtures/network-boot/desired.ts';
import { until } from '../../../setup/until.ts';

const listen = (name: string, address: string) => ({ name, usable: true, addresses: [address] });
const [ONE, TWO] = [listen('one', '10.91.0.1'), listen('two', '10.92.0.1')];
const scope = (id: string, more: Partial<BootScope> = {}): BootScope => ({
  id: `scope_${id}`,
  name: id,
  interface: id,
  gateway: '10.93.0.254',
  boot_listener: '',
  ...more,
});
const desired = (more: Partial<NetworkBootDesired>): NetworkBootDesired => ({
  ...LAB,
  settings: { ...LAB.settings, uefi_http_url: '' },
  own_addresses: ['10.91.0.1', '10.92.0.1', '10.93.0.1'],
  listen: [ONE, TWO],
  ...more,
});

describe('the listener of a scope', () => {
  const cases: [string, Partial<NetworkBootDesired>, BootScope, string | RegExp][] = [
    ['that of its interface', {}, scope('two'), 'two'],
    ['the one that was chosen', {}, scope('two', { boot_listener: 'one' }), 'one'],
    ['one of several, none its own', {}, scope('three'), /several interfaces.*choose a boot listener/],
    ['the only one', { listen: [ONE] }, scope('three'), 'one'],
    [
      'the only one, and no router',
      { listen: [ONE] },
      scope('three', { gateway: 'none' }),
      /no gateway that leads to one/,
    ],
    [
      'the only one, behind ourselves by following',
      { listen: [ONE] },
      scope('three', { gateway: '' }),
      /is the appliance/,
    ],
    ['the only one, behind ourselves', { listen: [ONE] }, scope('three', { gateway: '10.93.0.1' }), /is the appliance/],
    ['none at all', { listen: [] }, scope('three'), /nowhere/],
    ['one that is gone', { listen: [ONE] }, scope('one', { boot_listener: 'two' }), /boot listener is two/],
    ['one of IPv6 alone', { listen: [{ ...ONE, addresses: ['fd00::1'] }] }, scope('one'), /nowhere over IPv4/],
  ];
  test.each(cases)('%s', (_what, more, of, said) => {
    const { link, why } = pointedTo(desired(more), of);
    if (typeof said === 'string') expect(link?.name).toBe(said);
    else expect([link, why && whyWords(why)]).toEqual([null, expect.stringMatching(said)]);
  });
});

const SERVER = `gct-boot-${process.pid}`;
const CLIENT = `gcc-boot-${process.pid}`;
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 });
const inside = (namespace: string, ...args: string[]) => run('ip', 'netns', 'exec', namespace, ...args);
const LINKS: [string, string][] = [
  ['one', '10.91.0'],
  ['two', '10.92.0'],
  ['three', '10.93.0'],
];

let folder: string;
let daemon: ReturnType<typeof spawn> | null = null;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-boot-daemon-'));
  for (const namespace of [SERVER, CLIENT]) run('ip', 'netns', 'add', namespace);
  inside(SERVER, 'ip', 'link', 'set', 'lo', 'up');
  for (const [name, net] of LINKS) {
    inside(SERVER, 'ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', name, 'netns', CLIENT);
    inside(SERVER, 'ip', 'addr', 'add', `${net}.1/24`, 'dev', name);
    for (const namespace of [SERVER, CLIENT]) inside(namespace, 'ip', 'link', 'set', name, 'up');
  }
});
afterAll(async () => {
  await stop();
  for (const namespace of [SERVER, CLIENT]) run('ip', 'netns', 'del', namespace);
  rmSync(folder, { recursive: true });
});

async function stop(): Promise<void> {
  const ended = daemon && new Promise((resolve) => daemon?.once('exit', resolve));
  daemon?.kill();
  await ended;
  daemon = null;
}

/** Starts dnsmasq with the unit's lines and a range for each link, tagged as the DHCP unit does it. */
async function serve(state: NetworkBootDesired): Promise<void> {
  await stop();
  const fragment = render(state, (path) => join(folder, path)).find(({ path }) => path === FRAGMENT_FILE)!;
  const conf = join(folder, FRAGMENT_FILE);
  mkdirSync(dirname(conf), { recursive: true });
  mkdirSync(join(folder, '/var/lib/groundcrew/tftp'), { recursive: true });
  const ranges = LINKS.map(([name, net]) => `dhcp-range=set:scope_${name},${net}.100,${net}.150,255.255.255.0,600`);
  const own = ['port=0', 'bind-dynamic', `dhcp-leasefile=${join(folder, 'leases')}`, ...ranges];
  const text = fragment.content.replace(/^(?:tftp-root|enable-tftp)=.*\n/gm, '');
  writeFileSync(conf, `${own.join('\n')}\n${text}`);
  daemon = spawn('ip', ['netns', 'exec', SERVER, 'dnsmasq', '-k', '-C', conf, '--pid-file', '--user=root'], {
    stdio: 'ignore',
  });
  await until(() => inside(SERVER, 'ss', '-lunp').includes(':67 '));
}

/** Server and file that a machine on this link is told. */
function told(link: string, ...options: string[]): string {
  const script = join(folder, 'told.sh');
  writeFileSync(script, '#!/bin/sh\n[ "$1" = bound ] && echo "told $siaddr $boot_file"\nexit 0\n', {
    mode: 0o755,
  });
  const args = ['udhcpc', '-i', link, '-f', '-n', '-q', '-t', '3', '-T', '2', '-s', script, ...options];
  return /told (.*)/.exec(inside(CLIENT, 'busybox', ...args))?.[1] ?? 'nothing';
}

const EFI = ['-x', '0x5d:0007'];
const HTTP = ['-x', '0x5d:0010', '-V', 'HTTPClient:Arch:00016'];
const IPXE = [...EFI, '-x', '0xaf:b1040a880001'];

test('machines of a scope get the chosen listener, at every stage; others that of their own segment', async () => {
  await serve(desired({ scopes: [scope('one'), scope('two', { boot_listener: 'one' }), scope('three')] }));
  for (const link of ['one', 'two']) {
    expect(told(link, ...EFI)).toBe('10.91.0.1 snponly.efi');
    expect(told(link, ...HTTP)).toContain('http://10.91.0.1:8081/boot/ipxe/snponly.efi');
    expect(told(link, ...IPXE)).toContain('http://10.91.0.1:8081/boot/menu.ipxe');
  }
  // Two listeners, and none was chosen.
  expect(told('three', ...HTTP)).not.toContain('http');
}, 300_000);

test('each gets the boot program of its own segment while the URL follows the appliance', async () => {
  await serve(desired({ scopes: [scope('one'), scope('two')] }));
  expect(told('two', ...HTTP)).toContain('http://10.92.0.1:8081/boot/ipxe/snponly.efi');
  expect(told('one', ...HTTP)).toContain('http://10.91.0.1:8081/boot/ipxe/snponly.efi');
  await serve(desired({ listen: [ONE], scopes: [scope('one'), scope('three')] }));
  expect(told('three', ...HTTP)).toContain('http://10.91.0.1:8081/boot/ipxe/snponly.efi');
  const none = desired({ scopes: [scope('two')] });
  await serve({ ...none, settings: { ...none.settings, uefi_http_url: 'none' } });
  expect(told('two', ...HTTP)).not.toContain('http');
}, 300_000);
