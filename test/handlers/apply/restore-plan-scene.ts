// What the tests of bringing an earlier plan back share: a lab whose every unit was applied, its desired rows, and edits.
import { cp, rename, rm } from 'node:fs/promises';
import { afterAll } from '@jest/globals';
import fc from 'fast-check';
import { KEPT } from '../../../shared/appliance/apply/applied-rows-tables.ts';
import { furnish } from '../../setup/furnish.ts';
import { House } from '../../setup/house.ts';
import { api, house, open, PLANS, saved } from './apply-scene.ts';

export const restore = (plan_id: string, query = '') => api('POST', `${PLANS}/${plan_id}/restore${query}`);

/** Made once: furnishing a lab and applying it takes longer than most tests on it. */
let template: { data: string; plan: string } | undefined;
afterAll(() => template && rm(kept(template.data), { recursive: true, force: true }));
const kept = (data: string): string => `${data}-template`;

async function built(): Promise<{ data: string; plan: string }> {
  const first = await House.open();
  const builder = await first.actor('admin', undefined, 'builder');
  const send = (path: string, body: object) => first.send('POST', path, { token: builder.token, body });
  await furnish(first, builder);
  // What the lab left pending, and every unit once more, in one plan.
  const units = ['network', 'firewall', 'dns-dhcp', 'ntp', 'private-cloud-services'];
  const { body: plan } = await send(PLANS, { units, reapply: true });
  await send(`${PLANS}/${plan.id}/submit`, { digest: plan.digest });
  await first.appliance.runner.idle();
  await first.close(true);
  await rename(first.data, kept(first.data));
  return { data: first.data, plan: plan.id };
}

/** A lab whose every unit was applied by one plan. Answers its id. */
export async function lab(): Promise<string> {
  template ??= await built();
  // To the same place each time: rendered files name it.
  await cp(kept(template.data), template.data, { recursive: true });
  await open({ data: template.data });
  return template.plan;
}

export const TABLES = Object.values(KEPT).flatMap((unit) => unit?.tables.map(({ name }) => name) ?? []);
export const DOCUMENTS = Object.values(KEPT).flatMap((unit) => unit?.documents.map(({ key }) => key) ?? []);

/** Desired rows of the kept units, without what counts their changes. */
export async function desired(): Promise<Record<string, Record<string, unknown>[]>> {
  const { store } = house.services;
  const state: Record<string, Record<string, unknown>[]> = {};
  for (const table of [...TABLES, 'interface']) {
    const rows = await store.all<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY id`);
    state[table] = rows.map(({ revision: _r, updated_at: _u, ...row }) => row);
  }
  const rows = await store.all<{ unit: string; document: string }>('SELECT unit, document FROM unit_settings');
  state.documents = rows
    .filter(({ unit }) => DOCUMENTS.includes(unit))
    .map(({ unit, document }) => ({ unit, document: JSON.parse(document) }))
    .sort((a, b) => (a.unit < b.unit ? -1 : 1));
  return state;
}

export const pending = async () =>
  (
    await house.services.store.all<{ unit: string }>(
      'SELECT unit FROM unit_state WHERE desired_version <> applied_version',
    )
  ).map(({ unit }) => unit);

export const idOf = async (table: string, where: string): Promise<string> =>
  (await house.services.store.one<{ id: string }>(`SELECT id FROM ${table} WHERE ${where}`))!.id;

type Edit = [method: string, path: string, body?: unknown];
/** Edits of one unit; ids are looked up when they are made. */
export const EDITS: Record<string, () => Promise<Edit[]>> = {
  network: async () => [
    ['PATCH', '/api/v1/interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24', mtu: 9000 }],
    ['POST', '/api/v1/vlans', { parent_interface: 'ens256', vlan_id: 50, ipv4_cidr: '172.16.50.2/24' }],
    ['PATCH', `/api/v1/vlans/${await idOf('interface', 'vlan_id = 30')}`, { ipv4_cidr: '172.16.33.2/24' }],
  ],
  firewall: async () => [
    ['DELETE', `/api/v1/firewall/rules/${await idOf('firewall_rule', "name = 'Old monitoring'")}`],
    [
      'PATCH',
      `/api/v1/firewall/rules/${await idOf('firewall_rule', "name = 'No guests at the depot'")}`,
      { name: 'Old monitoring', ports: '80,443' },
    ],
    ['POST', '/api/v1/firewall/rules', { name: 'No guests at the depot', action: 'accept' }],
    ['PATCH', '/api/v1/firewall/settings', { allow_ping: false }],
  ],
  'dns-dhcp': async () => {
    const zone = await idOf('dns_zone', "name = 'lab.example'");
    const [one, other] = [
      await idOf('dhcp_reservation', "hostname = 'esx31'"),
      await idOf('dhcp_reservation', "hostname = 'esx33'"),
    ];
    return [
      ['PATCH', `/api/v1/dhcp/reservations/${one}`, { ip_address: '172.16.20.99' }],
      ['PATCH', `/api/v1/dhcp/reservations/${other}`, { ip_address: '172.16.20.31' }],
      ['PATCH', `/api/v1/dhcp/reservations/${one}`, { ip_address: '172.16.20.33' }],
      ['DELETE', `/api/v1/dhcp/options/${await idOf('dhcp_option', 'code = 119')}`],
      ['POST', '/api/v1/dhcp/options', { code: 119, value: 'other.example' }],
      ['PATCH', `/api/v1/dhcp/scopes/${await idOf('dhcp_scope', "name = 'vmotion'")}`, { ranges: [], lease_time: 900 }],
      ['DELETE', `/api/v1/dns/records/${await idOf('dns_record', "fqdn = 'nsx01.lab.example' AND type = 'A'")}`],
      ['POST', '/api/v1/dns/records', { fqdn: 'nsx01.lab.example', type: 'A', value: '172.16.20.77' }],
      ['PATCH', `/api/v1/dns/zones/${zone}`, { description: 'Another' }],
      ['POST', '/api/v1/dns/zones', { name: 'deep.lab.example' }],
      ['PATCH', '/api/v1/dns-dhcp/settings', { ttl_seconds: 60 }],
      ['PATCH', '/api/v1/dhcp/settings', { authoritative: false }],
    ];
  },
  ntp: async () => [
    ['DELETE', `/api/v1/ntp/sources/${await idOf('ntp_source', "address = 'pool.lab.example'")}`],
    ['POST', '/api/v1/ntp/sources', { address: 'pool.lab.example', kind: 'server' }],
    ['PATCH', '/api/v1/ntp/settings', { local_stratum: 5, hostname: 'clock.lab.example' }],
  ],
  'private-cloud-services': async () => [
    ['PATCH', '/api/v1/private-cloud-services/settings', { port: 8443, hostname: 'software.lab.example' }],
  ],
};

export const edit = async (units: readonly string[]) => {
  for (const unit of units) await saved(...((await EDITS[unit]!()) as [string, string, unknown][]));
};

export const revisions = async () => {
  const lists = TABLES.map((table) => `SELECT id, revision FROM ${table}`);
  const all = [...lists, 'SELECT id, revision FROM interface', 'SELECT unit AS id, revision FROM unit_settings'];
  const rows = await house.services.store.all<{ id: string; revision: number }>(all.join(' UNION ALL '));
  return new Map(rows.map(({ id, revision }) => [id, revision]));
};

/** A random edit, before it is known what it is made of. */
export const DIE = fc.record({ kind: fc.nat(13), number: fc.integer({ min: 2, max: 250 }), which: fc.nat(99) });
const one = async (table: string, which: number): Promise<string> => {
  const rows = await house.services.store.all<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`);
  return rows[which % Math.max(1, rows.length)]?.id ?? 'none';
};
/** Makes it over the API; false when the rules refuse it. */
export const randomEdit = async ({ kind, number, which }: { kind: number; number: number; which: number }) => {
  const mac_address = `00:50:56:0b:00:${(number % 90) + 10}`;
  const edits: (() => Promise<[method: string, path: string, body?: unknown]>)[] = [
    async () => ['PATCH', 'interfaces/physical/ens224', { ipv4_cidr: `192.168.${number}.2/24`, mtu: 1500 + number }],
    async () => ['PATCH', `vlans/${await idOf('interface', 'vlan_id = 20')}`, { ipv4_cidr: `172.16.${number}.2/24` }],
    async () => [
      'POST',
      'vlans',
      { parent_interface: 'ens256', vlan_id: 100 + number, ipv4_cidr: `10.99.${number}.1/24` },
    ],
    async () => ['DELETE', `dns/records/${await one('dns_record', which)}`],
    async () => ['POST', 'dns/records', { fqdn: `h${number}.lab.example`, type: 'A', value: `172.16.20.${number}` }],
    async () => ['POST', 'dns/zones', { name: `z${number}.lab.example` }],
    async () => ['DELETE', `dhcp/reservations/${await one('dhcp_reservation', which)}`],
    async () => [
      'PATCH',
      `dhcp/reservations/${await one('dhcp_reservation', which)}`,
      { ip_address: `172.16.20.${number}` },
    ],
    async () => [
      'POST',
      'dhcp/reservations',
      { hostname: `r${number}`, mac_address, ip_address: `172.16.20.${number}`, register_dns: which > 50 },
    ],
    async () => [
      'PATCH',
      `dhcp/scopes/${await one('dhcp_scope', which)}`,
      { lease_time: 600 + number, enabled: which > 20 },
    ],
    async () => ['DELETE', `dhcp/options/${await one('dhcp_option', which)}`],
    async () => ['DELETE', `ntp/sources/${await one('ntp_source', which)}`],
    async () => [
      'POST',
      'firewall/rules',
      { name: `rule ${number}`, action: 'drop', source_cidr: `10.0.${number}.0/24` },
    ],
    async () => [
      'PATCH',
      `firewall/rules/${await one('firewall_rule', which)}`,
      { position: number, enabled: which > 50 },
    ],
  ];
  const [method, path, body] = await edits[kind]!();
  return (await api(method, `/api/v1/${path}`, body)).status < 300;
};
