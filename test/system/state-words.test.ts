// An appliance with volume in a network namespace: 214 records, 75 reservations, 31 vault entries, 14 boot hosts, 12 interfaces
// and 5 VLANs. What no apply has put in force is found in every list, and what a service that is off holds is not pending.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scheduled as detectDrift } from '../../handlers/scheduled/detect-drift.ts';
import { STATES } from '../../pages/components/state-words.tsx';
import type { Host } from '../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { type Credentials, House } from '../setup/house.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

let lab: Lab;
let data: string;
let host: Host;
let house: House;
let admin: Credentials;
let zone_id: string;

const MORE_LINKS = 10;
const VLANS = [20, 21, 22, 23, 24];
const RECORDS = 214;
const RESERVATIONS = 75;
const HOSTS = 14;
const ENTRIES = 31;

const ip = (...args: string[]) => execFileSync('ip', ['-n', lab.appliance, ...args], { encoding: 'utf8' });
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const two = (at: number): string => String(at).padStart(2, '0');
const mac = (part: string, at: number): string => `00:50:56:${part}:00:${at.toString(16).padStart(2, '0')}`;

async function saved(method: string, path: string, body: unknown) {
  const heard = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
  return heard.body;
}

async function apply(): Promise<void> {
  const plan = await saved('POST', 'apply/plans', {});
  await saved('POST', `apply/plans/${plan.id}/submit`, { digest: plan.digest });
  await house.appliance.runner.idle();
  const { body } = await house.send('GET', `/api/v1/apply/plans/${plan.id}`, { token: admin.token });
  const job = await house.send('GET', `/api/v1/jobs/${body.job_id}`, { token: admin.token });
  expect([body.state, job.body.error]).toEqual(['applied', null]);
}

const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
async function page(path: string): Promise<string> {
  const { status, text } = await house.send('GET', `/ui/management${path}`, { session: admin });
  expect([path, status]).toEqual([path, 200]);
  return text;
}
const rows = (html: string): string[] =>
  html.split('<tr').flatMap((row) => (row.includes('<td') ? [words(row.slice(row.indexOf('>') + 1))] : []));
/** Names of the units that the strip says have changed. */
const pending = async (): Promise<string> =>
  words(/<section class="strip" aria-label="Pending changes">(.*?)<\/section>/s.exec(await page(''))?.[1] ?? '');

/** All rows of a list, page after page. */
async function everyRow(path: string): Promise<string[]> {
  const found: string[] = [];
  let next: string | null = path;
  while (next !== null) {
    const html: string = await page(next);
    found.push(...rows(html));
    const link = /href="\/ui\/management([^"]*[?&](?:amp;)?cursor=[^"]*)"/.exec(html)?.[1];
    next = link ? link.replaceAll('&amp;', '&') : null;
  }
  return found;
}

beforeAll(async () => {
  lab = makeLab('states');
  for (const at of many(MORE_LINKS, (each) => each))
    ip('link', 'add', `port${at}`, 'type', 'veth', 'peer', 'name', `peer${at}`, 'netns', lab.client);
  data = mkdtempSync(join(tmpdir(), 'groundcrew-states-'));
  host = await namespaceHost(lab.appliance, data);
  house = await House.open({ ticker: false, host: () => host, links: await host.links() });
  admin = await house.actor();
  await saved('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: '10.88.0.1/24', enabled: true });
  await saved('PATCH', 'interfaces/physical/port0', { mode: 'trunk', enabled: true });
  // Off, so that a kernel without VLANs will do.
  for (const vlan_id of VLANS)
    await saved('POST', 'vlans', {
      parent_interface: 'port0',
      vlan_id,
      ipv4_cidr: `10.${vlan_id}.0.1/24`,
      enabled: false,
    });
  // Loading a packet filter is not what this is about.
  await saved('PATCH', 'firewall/settings', { enabled: false });
  await saved('PATCH', 'dns-dhcp/settings', { enabled: true, listen_interfaces: ['lab0'] });
  zone_id = (await saved('POST', 'dns/zones', { name: 'lab.test' })).id;
  const records = many(RECORDS, (at) => ({ fqdn: `h${at}.lab.test`, type: 'A', value: `10.21.${at % 200}.9` }));
  await saved('POST', 'dns/records/bulk', { records });
  const vault = await saved('POST', 'vaults', { name: 'lab' });
  for (const at of many(ENTRIES, (each) => each))
    await saved('POST', `vaults/${vault.id}/entries`, { key: `host${two(at)}.root`, username: 'root' });
  await apply();
}, 600_000);

afterAll(async () => {
  await house.close();
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

test('a scope that is saved while DHCP is off changes nothing, and says where it stands', async () => {
  await saved('POST', 'dhcp/scopes', {
    name: 'lab',
    interface: 'lab0',
    subnet_cidr: '10.88.0.0/24',
    ranges: [{ start: '10.88.0.200', end: '10.88.0.220' }],
  });
  for (const at of many(RESERVATIONS, (each) => each))
    await saved('POST', 'dhcp/reservations', {
      hostname: `r${two(at)}`,
      mac_address: mac('10', at),
      ip_address: `10.88.0.${at + 100}`,
    });
  for (const at of many(HOSTS, (each) => each))
    await saved('POST', 'network-boot/esxi-hosts', { hostname: `esx${two(at)}.lab.test`, mac_address: mac('20', at) });
  expect(await pending()).toBe('');
  const { status } = await house.send('POST', '/api/v1/apply/plans', { token: admin.token, body: {} });
  expect(status).toBe(200);
  const html = await page('/dhcp');
  expect(html).not.toContain('changed, not applied');
  expect(rows(html).find((row) => row.startsWith('lab '))).toContain(STATES.saved.word);
  expect(words(html)).toContain('DHCP is off: these scopes are saved');
  expect(rows(html).filter((row) => row.includes(STATES.pending.word))).toEqual([]);
  expect(html).not.toContain('aria-label="Not applied"');
  expect(words(html)).not.toContain('saved, not applied');
  const reservations = await everyRow('/dhcp/reservations?state=saved');
  expect(reservations.filter((row) => /^(?:Choose )?r\d\d/.test(row) || /\br\d\d\b/.test(row))).toHaveLength(
    RESERVATIONS,
  );
  expect(await everyRow('/network-boot?state=saved')).toHaveLength(HOSTS);
}, 300_000);

test('all of it is in force after an apply, row by row', async () => {
  await saved('PATCH', 'dhcp/settings', { enabled: true });
  expect(await pending()).toContain('DNS and DHCP');
  expect(await everyRow('/dhcp/reservations?state=pending')).toHaveLength(RESERVATIONS);
  await apply();
  expect(await pending()).toBe('');
  const zone = `/dns/zones/${zone_id}`;
  expect(await everyRow(`${zone}?state=in_force`)).toHaveLength(RECORDS);
  expect(await everyRow(`${zone}?state=pending`)).toEqual([]);
  expect(await everyRow('/dhcp/reservations?state=in_force')).toHaveLength(RESERVATIONS);
  expect((await page('/interfaces')).match(/<tr/g)!.length - 1).toBe(2 + MORE_LINKS + VLANS.length);
}, 300_000);

test('each row that is not applied is seen in its list, above it and by the filter', async () => {
  const zone = `/dns/zones/${zone_id}`;
  await saved('POST', 'dns/records', { fqdn: 'zz.lab.test', type: 'A', value: '10.21.0.250' });
  await saved('POST', 'dhcp/reservations', {
    hostname: 'zz',
    mac_address: mac('30', 1),
    ip_address: '10.88.0.190',
  });
  await saved('PATCH', 'interfaces/physical/port9', { role: 'access', ipv4_cidr: '10.99.0.1/24', enabled: true });
  await saved('POST', 'vlans', {
    parent_interface: 'port0',
    vlan_id: 99,
    ipv4_cidr: '10.100.0.1/24',
    enabled: false,
  });
  await saved('POST', 'dns/zones', { name: 'zz.test' });
  const lists: [path: string, filter: string, row: string, above: string | null][] = [
    [zone, '?state=pending', 'zz.lab.test', 'record zz.lab.test A'],
    ['/dhcp/reservations', '?state=pending', 'zz', '10.88.0.190'],
    ['/dns', '?state=pending', 'zz.test', 'zone zz.test'],
    ['/interfaces', '?show=pending', 'port9', null],
    ['/vlans', '?show=pending', 'port0.99', null],
  ];
  for (const [path, filter, row, above] of lists) {
    const found = await everyRow(`${path}${filter}`);
    expect([path, found.filter((each) => each.includes(row))]).toEqual([
      path,
      [expect.stringContaining(STATES.pending.word)],
    ]);
    for (const each of found) expect([path, each]).toEqual([path, expect.stringContaining(STATES.pending.word)]);
    if (above !== null) expect(words(await page(path))).toMatch(new RegExp(`Not applied \\d+ changes? .*${above}`));
  }
  // An entry of a vault takes effect when it is saved: nothing of it waits.
  expect(await pending()).toMatch(/^2 units changed , not applied Network DNS and DHCP/);
}, 300_000);

test('an interface that somebody changed says so, and no other does', async () => {
  await apply();
  ip('addr', 'del', '10.88.0.1/24', 'dev', 'lab0');
  await detectDrift.handler({ source: 'groundcrew.ticker', id: 'detectDrift', time: '' }, house);
  const drifted = (await everyRow('/interfaces')).filter((row) => row.includes(STATES.drifted.word));
  expect(drifted).toEqual([expect.stringMatching(/^lab0 /)]);
}, 300_000);
