// A factory reset with its apply, on a host that is a network namespace: what was configured and in force goes from the host as
// a reviewed apply says, until the host is as it was after the first start. Data stays: archives, keys of the KMIP server and
// files of the depot.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Host } from '../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { applianceFolder } from '../../shared/services/offline-depot/store.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';

const NAME = 'gc01.lab.example';
const SLOW = 300_000;
/** Those with files and daemons of their own; what this process serves itself would not be in the namespace. */
const CONFIGURED = ['network', 'firewall', 'dns-dhcp', 'ntp'];
let lab: Lab;
let data: string;
let host: Host;
let house: House;
let admin: Credentials;
let first: HostState;

beforeAll(async () => {
  lab = makeLab('reset');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-reset-'));
  host = await namespaceHost(lab.appliance, data);
  house = await House.open({ data, fresh: true, host: () => host, links: await host.links(), ticker: false });
  admin = await house.actor('admin', undefined, 'ada');
}, SLOW);

afterAll(async () => {
  await house?.close();
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown) {
  const heard = await house.send(method, `/api/v1/${path}`, {
    token: admin.token,
    ...(body !== undefined && { body }),
  });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
  return heard.body;
}

/** Reviews what is pending, applies and confirms it. Answers the units of the plan; empty: nothing was pending. */
async function apply(): Promise<string[]> {
  const made = await house.send('POST', '/api/v1/apply/plans', { token: admin.token, body: {} });
  if (made.status === 200) return [];
  const { id, digest } = made.body;
  const path = `apply/plans/${id}`;
  const { confirm } = await call('POST', `${path}/submit`, { digest });
  if (confirm) {
    await until(async () => (await call('GET', path)).state === 'confirming');
    await call('POST', `${path}/confirm`, { nonce: confirm.nonce });
  }
  await house.appliance.runner.idle();
  const { state, job_id, units } = await call('GET', path);
  const { error } = await call('GET', `jobs/${job_id}`);
  expect([state, error]).toEqual(['applied', null]);
  return units.map((unit: { id: string }) => unit.id);
}

interface HostState {
  addresses: string[];
  filter: string;
  daemons: Record<string, number>;
  /** Path → digest. */
  files: Record<string, string>;
}

/** Its folder is the operator's: whoever keeps fragments there keeps them. */
const OPERATORS = 'groundcrew/dnsmasq.d/';

const inside = (...args: string[]) =>
  execFileSync('ip', ['netns', 'exec', lab.appliance, ...args], { encoding: 'utf8' });

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function hostNow(): HostState {
  const shown = JSON.parse(inside('ip', '-j', 'addr')) as { ifname: string; addr_info: { local: string }[] }[];
  const root = host.resolve('/etc');
  return {
    addresses: shown
      .flatMap(({ ifname, addr_info }) => addr_info.map(({ local }) => `${ifname} ${local}`))
      .filter((address) => !address.includes(' fe80:'))
      .sort(),
    filter: inside('nft', '-s', 'list', 'ruleset').replaceAll(/counter packets \d+ bytes \d+/g, 'counter'),
    daemons: Object.fromEntries(['dnsmasq', 'chronyd'].map((name) => [name, pidsOf(lab.appliance, name).length])),
    files: Object.fromEntries(
      filesBelow(root)
        .filter((file) => !relative(root, file).startsWith(OPERATORS))
        .map((file) => [relative(root, file), createHash('sha256').update(readFileSync(file)).digest('hex')]),
    ),
  };
}

const dig = () => lab.inClient('dig', '+short', '+time=1', '+tries=3', '@10.88.0.1', 'vc01.lab.example');
/** A file of the depot. */
let kept = '';
let archive_id = '';
let keys: unknown[];

test(
  'configured and applied, the host serves',
  async () => {
    await apply();
    first = hostNow();
    await call('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: '10.88.0.1/24', enabled: true });
    await call('PATCH', 'dns-dhcp/settings', { enabled: true, listen_interfaces: ['lab0'] });
    await call('POST', 'dns/zones', { name: 'lab.example' });
    await call('POST', 'dns/records', { fqdn: 'vc01.lab.example', type: 'A', value: '10.88.0.10' });
    await call('PATCH', 'ntp/settings', { enabled: true, listen_interfaces: ['lab0'] });
    await call('POST', 'firewall/rules', { name: 'no guests', action: 'drop', source_cidr: '10.99.0.0/24' });
    await call('POST', 'kms/providers', { name: 'management-domain' });
    archive_id = (await call('POST', 'archives', { encryption: 'none' })).id;
    const folder = applianceFolder(house.services.host);
    mkdirSync(folder, { recursive: true });
    kept = join(folder, 'kept.bin');
    writeFileSync(kept, 'data of the depot');
    expect(await apply()).toEqual(expect.arrayContaining(CONFIGURED));
    await until(() => dig() === '10.88.0.10');
    const now = hostNow();
    expect(now.addresses).toContain('lab0 10.88.0.1');
    expect(now.daemons).toEqual({ dnsmasq: 1, chronyd: 1 });
    expect(now.filter).toContain('10.99.0.0/24');
    keys = await house.services.store.all('SELECT * FROM kms_provider');
    expect(keys).toHaveLength(1);
  },
  SLOW,
);

test(
  'a reset takes nothing from the host before its apply',
  async () => {
    const before = hostNow();
    const body = { confirm: NAME, own_password: PASSWORD };
    const { status, text } = await house.send('POST', '/api/v1/factory-reset', { token: admin.token, body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(hostNow()).toEqual(before);
    expect(dig()).toBe('10.88.0.10');
  },
  SLOW,
);

test(
  'the apply takes the host back to its first start, and data stays',
  async () => {
    admin = await house.actor('admin', undefined, 'grace');
    expect(await apply()).toEqual(expect.arrayContaining(CONFIGURED));
    expect(hostNow()).toEqual(first);
    expect(dig()).not.toBe('10.88.0.10');
    expect(lab.inClient('ping', '-c1', '-W1', '10.77.0.1')).toMatch(/ 1 received/);
    expect(await apply()).toEqual([]);
    expect(existsSync(join(house.data, 'archives', `${archive_id}.gcarchive`))).toBe(true);
    expect(readFileSync(kept, 'utf8')).toBe('data of the depot');
    expect(await house.services.store.all('SELECT * FROM kms_provider')).toEqual(keys);
  },
  SLOW,
);
