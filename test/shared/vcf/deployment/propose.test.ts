// What is proposed for the properties of an OVF: only what is saved here, only where there is no choice to make, never in
// place of what the OVF presets, and never a secret.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { OvfProperty } from '../../../../shared/ground/ova/types.ts';
import { loadKnown } from '../../../../shared/vcf/deployment/known-network.ts';
import { freeMachineName, knownFor, proposalsOf } from '../../../../shared/vcf/deployment/propose.ts';
import { type Credentials, House } from '../../../setup/house.ts';

let house: House;
let admin: Credentials;
beforeEach(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterEach(() => house.close());

async function api(method: string, path: string, body: object) {
  const heard = await house.send(method, `/api/v1${path}`, { token: admin.token, body });
  if (heard.status >= 300) throw new Error(heard.text);
  return heard.body;
}
const record = (fqdn: string, value: string) =>
  api('POST', '/dns/records', { fqdn, type: value.includes(':') ? 'AAAA' : 'A', value });
const zone = (name: string) => api('POST', '/dns/zones', { name });

/** A VLAN with an address, as the whole of `lab` needs it. */
async function vlan(vlan_id: number, ipv4_cidr: string, role = 'access') {
  await api('PATCH', '/interfaces/physical/ens224', { mode: 'trunk', enabled: true });
  await api('POST', '/vlans', { parent_interface: 'ens224', vlan_id, ipv4_cidr, role, enabled: true });
}
const scope = (more: object = {}) =>
  api('POST', '/dhcp/scopes', {
    ...{ name: 'hosts', address_family: 'ipv4', interface: 'ens224.20', subnet_cidr: '10.20.0.0/24', ranges: [] },
    ...{ gateway: '10.20.0.254', dns_servers: ['10.20.0.53'], ntp_servers: ['10.20.0.123'], domain: 'lab.test' },
    ...more,
  });

const property = (key: string, more: Partial<OvfProperty> = {}): OvfProperty => ({
  ...{ key, category: '', label: key, description: '', kind: 'text', type: 'string', password: false },
  ...{ user_configurable: true, required: false, default: '', defaults_by_option: {}, min_length: null },
  ...{ max_length: null, minimum: null, maximum: null, choices: null },
  ...more,
});
const KEYS = ['hostname', 'ip0', 'netmask0', 'gateway', 'domain', 'searchpath', 'DNS', 'guestinfo.ntp'];
const PROPERTIES = KEYS.map((key) => property(key));

async function proposed(more: { machine?: string; port_group?: string; properties?: OvfProperty[] } = {}) {
  const asked = { properties: PROPERTIES, option: '', machine: 'sddc01', port_group: 'VM Network', ...more };
  return proposalsOf(asked, await loadKnown(house.services.store, asked.machine));
}
const values = async (more: Parameters<typeof proposed>[0] = {}) =>
  Object.fromEntries([...(await proposed(more))].map(([key, { value }]) => [key, value]));

test('the proposed name of the machine is one that no machine of the target has', () => {
  expect(freeMachineName([])).toBe('sddc-manager');
  expect(freeMachineName(['SDDC-Manager', 'sddc-manager-2', 'other'])).toBe('sddc-manager-3');
});

test('a second machine is not proposed the name of the first', () => {
  const first = { fqdn: 'sddcm.lab.test', value: '10.20.0.20', named: false };
  const own = { fqdn: 'sddc02.lab.test', value: '10.20.0.21', named: true };
  const known = { records: [first, own] } as never;
  expect(knownFor('sddc02', [], known).records).toEqual([first, own]);
  for (const there of ['sddcm', 'sddc-manager']) expect(knownFor('sddc02', [there], known).records).toEqual([own]);
  expect(knownFor('sddc-manager', ['sddc-manager'], known).records).toEqual([first, own]);
});

test('an appliance that knows nothing of the machine and its network proposes nothing', async () => {
  expect(await values()).toEqual({});
});

describe('with a network', () => {
  beforeEach(async () => {
    await vlan(20, '10.20.0.1/24');
    await zone('lab.test');
  });

  test('the record of the name tells the network, and that all the rest', async () => {
    await scope();
    await record('sddc01.lab.test', '10.20.0.15');
    expect(Object.fromEntries(await proposed())).toEqual({
      hostname: { value: 'sddc01.lab.test', from: 'the record sddc01.lab.test' },
      ip0: { value: '10.20.0.15', from: 'the record sddc01.lab.test' },
      netmask0: { value: '255.255.255.0', from: '10.20.0.0/24, the network of ens224.20' },
      gateway: { value: '10.20.0.254', from: 'the DHCP scope hosts' },
      domain: { value: 'lab.test', from: 'the name sddc01.lab.test' },
      searchpath: { value: 'lab.test', from: 'the name sddc01.lab.test' },
      DNS: { value: '10.20.0.53', from: 'the DHCP scope hosts' },
      'guestinfo.ntp': { value: '10.20.0.123', from: 'the DHCP scope hosts' },
    });
  });

  test('a generated name is that of the machine, whatever the machine is called', async () => {
    await api('POST', '/vcf-helper/generated-fqdns', {
      ...{ catalog: 'vcf-9.1', prefix: 'm01-', domain: 'lab.test', start_ipv4_cidr: '10.20.0.20/24' },
    });
    expect(await values({ machine: 'manager' })).toMatchObject({ hostname: 'm01-sddcm.lab.test', ip0: '10.20.0.31' });
    await record('manager.lab.test', '10.20.0.9');
    expect(await values({ machine: 'Manager' })).toMatchObject({ hostname: 'manager.lab.test', ip0: '10.20.0.9' });
  });

  test('a reservation of the name is an address of it', async () => {
    await scope({ gateway: 'none', dns_servers: ['none'], ntp_servers: ['none'] });
    await api('POST', '/dhcp/reservations', {
      ...{ hostname: 'sddc01', mac_address: '00:50:56:01:00:77', ip_address: '10.20.0.77' },
    });
    const found = await values();
    expect(found).toMatchObject({ ip0: '10.20.0.77', netmask0: '255.255.255.0', hostname: 'sddc01.lab.test' });
    expect(found).not.toHaveProperty('gateway');
  });

  test.each([
    ['the number of the VLAN', 'dvpg VLAN-20', '255.255.255.0'],
    ['the interface', 'ENS224.20', '255.255.255.0'],
    ['the scope', 'Hosts', '255.255.255.0'],
    ['another number', 'VLAN-21', undefined],
    ['two numbers', 'esx 20 net 2', undefined],
    ['nothing', 'VM Network', undefined],
  ])('a port group that names %s', async (_what, port_group, netmask) => {
    await scope();
    expect((await values({ port_group })).netmask0).toBe(netmask);
  });

  test('our own services are named where they listen in that network, and nowhere else', async () => {
    await record('sddc01.lab.test', '10.20.0.15');
    await api('PATCH', '/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192', 'ens224.20'] });
    await api('PATCH', '/ntp/settings', { enabled: true, listen_interfaces: ['ens192'] });
    const found = await proposed();
    expect(found.get('DNS')).toEqual({ value: '10.20.0.1', from: 'the name service of this appliance' });
    expect(found.get('guestinfo.ntp')).toBeUndefined();
    // Where it goes is not known: a service with several addresses leaves a choice, one with a single address none.
    const elsewhere = await proposed({ machine: 'other' });
    expect([elsewhere.get('DNS'), elsewhere.get('guestinfo.ntp')?.value]).toEqual([undefined, '10.10.0.5']);
  });

  test('what leaves a choice is not proposed: a name in two zones, two addresses of a name', async () => {
    await zone('other.test');
    await record('sddc01.lab.test', '10.20.0.15');
    await record('sddc01.other.test', '10.20.0.16');
    expect(await values()).toEqual({});
    await record('two.lab.test', '10.20.0.17');
    await record('two.lab.test', '10.20.0.18');
    expect(await values({ machine: 'two' })).toEqual({
      ...{ hostname: 'two.lab.test', domain: 'lab.test', searchpath: 'lab.test' },
    });
  });

  test('a preset of the OVF, a bound and a secret are left as they are', async () => {
    await record('sddc01.lab.test', '10.20.0.15');
    const properties = [
      property('hostname', { password: true, kind: 'password' }),
      property('ip0', { user_configurable: false }),
      property('netmask0', { default: '255.0.0.0' }),
      property('domain', { choices: ['example.com'] }),
      property('searchpath', { max_length: 3 }),
      property('LOCAL_USER_PASSWORD', { password: true, kind: 'password' }),
    ];
    expect(await values({ properties })).toEqual({});
  });
});

test('over IPv6, where the OVF asks for it, the length of the prefix is the mask', async () => {
  await api('PATCH', '/interfaces/physical/ens224', {
    ...{ role: 'route', ipv4_cidr: '10.20.0.1/24', ipv6_enabled: true, ipv6_cidr: 'fd00:20::1/64', enabled: true },
  });
  await zone('lab.test');
  await record('sddc01.lab.test', '10.20.0.15');
  await record('sddc01.lab.test', 'fd00:20::15');
  const version = property('ip_address_version', { default: 'IPv6', choices: ['IPv4', 'IPv6'] });
  expect(await values({ properties: [version, ...PROPERTIES] })).toMatchObject({
    ...{ ip0: 'fd00:20::15', netmask0: '64', gateway: 'fd00:20::1' },
  });
  expect(await values()).toMatchObject({ ip0: '10.20.0.15', gateway: '10.20.0.1' });
});
