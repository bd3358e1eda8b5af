// DHCP with the real dnsmasq in a network namespace and real clients in another one (needs root): leases, reservations,
// options and names as saved; what a change costs; and that a reservation which was removed or moved is really gone.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../../../../shared/platform/host/namespace.ts';
import type { Facts } from '../../../../../shared/platform/units/facts.ts';
import type { DnsDhcpDesired } from '../../../../../shared/services/dns-dhcp/desired.ts';
import type { DhcpDesired } from '../../../../../shared/services/dns-dhcp/dhcp/desired.ts';
import { readLeases } from '../../../../../shared/services/dns-dhcp/dhcp/server.ts';
import { dnsmasqDaemon, LEASES_FILE } from '../../../../../shared/services/dns-dhcp/files.ts';
import { DNS_DHCP_DEFAULTS } from '../../../../../shared/services/dns-dhcp/settings.ts';
import { dnsDhcpUnit } from '../../../../../shared/services/dns-dhcp/unit.ts';
import { DHCP, desiredOf, ONE, RESERVED, RESERVED6, TWO, V4 } from '../../../../fixtures/dns-dhcp/dhcp-network.ts';
import { type Lab, makeLab, pidsOf } from '../../../../setup/namespaces.ts';
import { until } from '../../../../setup/until.ts';

const POOLED = '10.88.0.120';

let lab: Lab;
let host: Host;
let folder: string;
let script: string;

let inForce: Facts | null = null;

/** Renders, checks, writes what differs, activates and probes, as an apply does. Answers what was said. */
async function apply(desired: DnsDhcpDesired): Promise<string> {
  const files = dnsDhcpUnit.render(desired, host.resolve);
  const written: string[] = [];
  for (const file of files) {
    if ((await host.read(file.path)) === file.content) continue;
    await host.write(file);
    written.push(file.path);
  }
  if (files.length > 0) {
    expect(await dnsDhcpUnit.check(host, desired, host.resolve)).toMatchObject({ ok: true, faults: [] });
  }
  const after = dnsDhcpUnit.facts(desired);
  const said = await dnsDhcpUnit.activate(host, desired, { before: inForce, after, written, removed: [] });
  inForce = after;
  const probe = await dnsDhcpUnit.probe(host, desired);
  expect(probe).toMatchObject({ ok: true });
  return said;
}

const ip = (...args: string[]) => expect(spawnSync('ip', args).status).toBe(0);

/** Gives the client's card an address and makes it forget every lease. */
async function become(mac: string): Promise<void> {
  ip('-n', lab.client, 'link', 'set', 'c1', 'down');
  ip('-n', lab.client, 'link', 'set', 'c1', 'address', mac);
  ip('-n', lab.client, 'addr', 'flush', 'dev', 'c1', 'scope', 'global');
  ip('-n', lab.client, 'link', 'set', 'c1', 'up');
}

/** What a client's script is told, as `name=value`. */
function told(output: string): Record<string, string> {
  const pairs = output.split('\n').flatMap((line): [string, string][] => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value ?? '']];
  });
  return Object.fromEntries(pairs);
}

const udhcpc = (...args: string[]) =>
  told(
    lab.inClient(
      'busybox',
      'udhcpc',
      '-i',
      'c1',
      '-n',
      '-q',
      '-f',
      '-t',
      '4',
      '-T',
      '1',
      '-O',
      '66',
      '-O',
      'mtu',
      '-s',
      script,
      ...args,
    ),
  );

/** dhclient gives up where the link has no address yet, or one that is still being tried. */
async function linkAddress(): Promise<void> {
  const usable = () => {
    const shown = lab.inClient('ip', '-6', 'addr', 'show', 'dev', 'c1', 'scope', 'link');
    return shown.includes('fe80') && !shown.includes('tentative');
  };
  for (let waited = 0; waited < 60_000 && !usable(); waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** `says`: what the client tells of itself, as its configuration has it. */
async function dhclient(version: '-4' | '-6', says = ''): Promise<Record<string, string>> {
  if (version === '-6') await linkAddress();
  const place = (name: string) => join(folder, `${name}${version}`);
  rmSync(place('leases'), { force: true });
  const args = [version, '-1', '-d', '-sf', script, '-lf', place('leases'), '-pf', place('pid'), 'c1'];
  if (version === '-6') args.splice(1, 0, '-D', 'LL');
  if (says !== '') {
    writeFileSync(place('conf'), `${says}\n`);
    args.splice(1, 0, '-cf', place('conf'));
  }
  const child = spawn('ip', ['netns', 'exec', lab.client, 'dhclient', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  const bound = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/^reason=BOUND/m.test(output)) setTimeout(resolve, 200);
    });
    child.once('exit', () => resolve());
  });
  await Promise.race([bound, new Promise((resolve) => setTimeout(resolve, 12_000))]);
  child.kill('SIGKILL');
  return told(output);
}

const dig = (...args: string[]) => lab.inClient('dig', '+short', '+time=2', '+tries=1', '@10.77.0.1', ...args);
const held = async () => (await readLeases(host)).leases.map(({ ip_address }) => ip_address);

/** Over IPv6 the server writes a lease down only after it has answered. */
async function leased(address: string): Promise<void> {
  await until(async () => (await held()).includes(address));
}

/** No lease of an earlier test is left: neither of this family nor of the other. */
async function forgetLeases(): Promise<void> {
  await host.stopDaemon(dnsmasqDaemon(host));
  await host.remove(LEASES_FILE);
  inForce = null;
}

const daemons = () => pidsOf(lab.appliance, 'dnsmasq');

beforeAll(async () => {
  lab = makeLab('dhcp');
  for (const cidr of ['10.88.0.1/24', 'fd88::1/64']) {
    ip('-n', lab.appliance, 'addr', 'add', cidr, 'dev', 'lab0', ...(cidr.includes(':') ? ['nodad'] : []));
  }
  folder = mkdtempSync(join(tmpdir(), 'gct-dhcp-'));
  script = join(folder, 'told.sh');
  writeFileSync(
    script,
    '#!/bin/sh\nenv | grep -E "^(reason|new_|ip|router|ntpsrv|dns|domain|hostname|lease|mtu|tftp|opt)"\nexit 0\n',
    {
      mode: 0o755,
    },
  );
  host = await namespaceHost(lab.appliance, folder);
}, 120_000);

afterAll(async () => {
  await host?.stopDaemon(dnsmasqDaemon(host));
  lab?.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('what clients get', () => {
  beforeAll(async () => {
    await become(TWO);
    expect(await apply(desiredOf(DHCP))).toBe('dnsmasq was started.');
  }, 120_000);

  test('an address of the range, with what the scope tells', async () => {
    const lease = udhcpc();
    expect(lease).toMatchObject({
      router: '10.88.0.254',
      dns: '10.88.0.1',
      domain: 'lab.test',
      lease: '3600',
      ntpsrv: '10.88.0.7',
    });
    expect(Number(lease.ip?.split('.')[3])).toBeGreaterThanOrEqual(100);
    expect(lease).toMatchObject({ mtu: '9000', tftp: 'tftp.lab.test' });
  }, 120_000);

  test('the name of a lease is known to the name service, and its reverse name', async () => {
    const lease = udhcpc('-x', 'hostname:pooled');
    expect(dig('pooled.lab.test')).toBe(lease.ip);
    expect(dig('-x', lease.ip!)).toBe('pooled.lab.test.');
  }, 120_000);

  test('a client that claims a managed name does not get it', async () => {
    udhcpc('-x', 'hostname:vc01');
    expect(dig('vc01.lab.test')).toBe('10.77.0.9');
  }, 120_000);

  test('no name that is looked up without being asked for, and no managed one of another kind or family', async () => {
    const records = [
      { fqdn: 'vc01.lab.test', type: 'A', value: '10.77.0.9' },
      { fqdn: 'six.lab.test', type: 'AAAA', value: 'fd88::66' },
      { fqdn: 'mail.lab.test', type: 'MX', value: '10 vc01.lab.test' },
      { fqdn: 'alias.lab.test', type: 'CNAME', value: 'vc01.lab.test' },
    ] as const;
    await forgetLeases();
    await apply({ ...desiredOf({ ...DHCP, own_names: ['depot.lab.test'] }), records: [...records] });
    const before = {
      depot: '',
      wpad: '',
      localhost: '',
      gateway: '',
      six: '',
      mail: '',
      alias: '10.77.0.9',
      vc01: '10.77.0.9',
    };
    const plain = Object.keys(before).map((name) => [name, '-x', `hostname:${name}`] as const);
    const whole = [
      ['wpad', '-x', 'hostname:wpad.lab.test'],
      ['mail', '-F', 'mail.lab.test'],
    ] as const;
    for (const [name, ...claim] of [...plain, ...whole]) {
      const lease = udhcpc(...claim);
      expect(lease.ip).toMatch(/^10\.88\.0\./);
      const told = dig(`${name}.lab.test`).split('\n').at(-1);
      expect([claim, told, dig('-x', lease.ip!)]).toEqual([claim, before[name as keyof typeof before], '']);
    }
    const free = udhcpc('-x', 'hostname:wpad2');
    expect(dig('wpad2.lab.test')).toBe(free.ip);
    // Somebody had the name before the record: he keeps his address.
    await apply({ ...desiredOf(DHCP), records: [...records, { fqdn: 'wpad2.lab.test', type: 'TXT', value: 'x' }] });
    expect([dig('wpad2.lab.test'), dig('-x', free.ip!), (await held()).includes(free.ip!)]).toEqual(['', '', true]);
    await apply(desiredOf(DHCP));
  }, 300_000);

  test('nor does a client over IPv6 get such a name', async () => {
    await forgetLeases();
    await become(TWO);
    await apply(desiredOf({ ...DHCP, own_names: ['depot.lab.test'] }));
    for (const name of ['gateway', 'depot.lab.test', 'free']) {
      const lease = await dhclient('-6', `send fqdn.fqdn "${name}"; send fqdn.server-update on;`);
      await leased(lease.new_ip6_address!);
      const [label] = name.split('.');
      const known = name === 'free' ? lease.new_ip6_address : '';
      expect([name, dig(`${label}.lab.test`, 'AAAA')]).toEqual([name, known]);
    }
    await forgetLeases();
    await apply(desiredOf(DHCP));
  }, 300_000);

  test('the reserved address, its host name and the time server', async () => {
    await become(ONE);
    const lease = await dhclient('-4');
    expect(lease).toMatchObject({
      new_ip_address: RESERVED,
      new_host_name: 'esx01',
      new_domain_name: 'lab.test',
      new_ntp_servers: '10.88.0.7',
      new_routers: '10.88.0.254',
    });
    expect(dig('-x', RESERVED)).toBe('esx01.lab.test.');
  }, 120_000);

  test('over IPv6 the reserved address too, and the name server', async () => {
    const lease = await dhclient('-6');
    expect(lease).toMatchObject({ new_ip6_address: RESERVED6, new_dhcp6_name_servers: 'fd88::1' });
    expect(lease.new_dhcp6_domain_search).toMatch(/^lab\.test/);
    expect(dig('esx01.lab.test', 'AAAA')).toBe(RESERVED6);
  }, 120_000);

  test('no address where only names are answered', () => {
    const output = lab.inClient('busybox', 'udhcpc', '-i', 'c0', '-n', '-q', '-f', '-t', '2', '-T', '1', '-s', script);
    expect(told(output)).not.toHaveProperty('ip');
  }, 120_000);

  test('the probe sees files that the server has not read', async () => {
    const [first] = DHCP.reservations;
    const reservations = [...DHCP.reservations, { ...first!, mac_address: TWO, ip_address: '10.88.0.12' }];
    expect(await dnsDhcpUnit.probe(host, desiredOf({ ...DHCP, reservations }))).toMatchObject({
      ok: false,
      said: expect.stringContaining('earlier files'),
    });
  }, 120_000);
});

const REREAD = 'dnsmasq re-read its files without a restart.';

const only = (mac_address: string, ip_address: string): DhcpDesired => ({
  ...DHCP,
  reservations: [{ hostname: 'esx02', mac_address, ip_address }],
});

describe('a reservation that changes', () => {
  beforeEach(forgetLeases);

  test('moves to another machine without a restart, though the first still holds a lease', async () => {
    await become(ONE);
    await apply(desiredOf(only(ONE, RESERVED)));
    expect(udhcpc().ip).toBe(RESERVED);
    const before = daemons();
    const said = await apply(desiredOf(only(TWO, RESERVED)));
    expect(said).toBe(`${REREAD} One lease was ended: ${RESERVED}.`);
    await become(TWO);
    expect(udhcpc()).toMatchObject({ ip: RESERVED, hostname: 'esx02' });
    expect(daemons()).toEqual(before);
    await become(ONE);
    expect(udhcpc('-r', RESERVED).ip).not.toBe(RESERVED);
  }, 120_000);

  test.each([
    ['outside of the ranges', RESERVED],
    ['inside of a range', POOLED],
  ])(
    'that is removed, with an address %s, is really gone',
    async (_where, address) => {
      await become(ONE);
      await apply(desiredOf(only(ONE, address)));
      expect(udhcpc().ip).toBe(address);
      const before = daemons();
      const said = await apply(desiredOf({ ...DHCP, reservations: [] }));
      expect(said).toBe(`${REREAD} One lease was ended: ${address}.`);
      expect(await held()).not.toContain(address);
      expect(dig('-x', address)).toBe('');
      expect(daemons()).toEqual(before);
      // Another machine may have it at once.
      await become(TWO);
      await apply(desiredOf(only(TWO, address)));
      expect(udhcpc().ip).toBe(address);
    },
    300_000,
  );

  test('over IPv6 ends its lease as well', async () => {
    await become(ONE);
    await apply(desiredOf(only(ONE, RESERVED6)));
    expect(await dhclient('-6')).toMatchObject({ new_ip6_address: RESERVED6 });
    await leased(RESERVED6);
    const before = daemons();
    const said = await apply(desiredOf(only(TWO, RESERVED6)));
    expect(said).toBe(`${REREAD} One lease was ended: ${RESERVED6}.`);
    expect(daemons()).toEqual(before);
    await become(TWO);
    expect(await dhclient('-6')).toMatchObject({ new_ip6_address: RESERVED6 });
  }, 120_000);

  test('whose scope goes: the leases go from the file while the daemon is stopped', async () => {
    await become(TWO);
    await apply(desiredOf(DHCP));
    const given = udhcpc().ip!;
    const moved = { ...V4, ranges: [{ start: '10.88.0.200', end: '10.88.0.220' }] };
    const said = await apply(desiredOf({ ...DHCP, scopes: [moved], reservations: [] }));
    expect(said).toBe(`dnsmasq was restarted. One lease was ended: ${given}.`);
    expect(await held()).not.toContain(given);
    expect(Number(udhcpc('-r', given).ip?.split('.')[3])).toBeGreaterThanOrEqual(200);
  }, 120_000);
});

describe('one half without the other', () => {
  test('DHCP while the name service is off: port 53 is closed', async () => {
    await become(TWO);
    expect(await apply(desiredOf(DHCP, false))).toContain('restarted');
    expect(udhcpc()).toMatchObject({ domain: 'lab.test' });
    expect(dig('vc01.lab.test')).toMatch(/^$|connection|timed out|no servers/);
  }, 120_000);

  test('a subnet that the interface has no address in, beside the one that it has', async () => {
    const other = { ...V4, id: 'scope_b', name: 'b', subnet_cidr: '10.89.0.0/24', ranges: [], gateway: 'none' };
    ip('-n', lab.appliance, 'addr', 'del', '10.88.0.1/24', 'dev', 'lab0');
    ip('-n', lab.appliance, 'addr', 'add', '10.88.0.1/13', 'dev', 'lab0');
    const scopes = [V4, other].map((scope) => ({ ...scope, server: '10.88.0.1/13' }));
    const reservations = [{ hostname: 'far.other.test', mac_address: TWO, ip_address: '10.89.0.9' }];
    await apply(desiredOf({ ...DHCP, scopes, reservations }));
    await become(TWO);
    expect(udhcpc()).toMatchObject({ ip: '10.89.0.9', hostname: 'far', domain: 'other.test' });
    expect(dig('far.other.test')).toBe('10.89.0.9');
    ip('-n', lab.appliance, 'addr', 'del', '10.88.0.1/13', 'dev', 'lab0');
    ip('-n', lab.appliance, 'addr', 'add', '10.88.0.1/24', 'dev', 'lab0');
  }, 120_000);

  test('names while DHCP is off: nobody gets an address', async () => {
    await apply(desiredOf(null));
    expect(dig('vc01.lab.test')).toBe('10.77.0.9');
    await become(ONE);
    expect(udhcpc()).not.toHaveProperty('ip');
    expect(await apply({ ...desiredOf(null), settings: DNS_DHCP_DEFAULTS })).toBe('dnsmasq was stopped.');
  }, 120_000);
});
