// Edges of the interface edit rules: what lies at the border of a network, what only a look at the host changes, and
// addresses and names in places that are easily forgotten.
import { describe, expect, test } from '@jest/globals';
import type { ObservedLink } from '../../../shared/ground/machine/host.ts';
import { setScene } from './dependents-scene.ts';

const scene = setScene();
const move = { ipv4_cidr: '192.168.77.2/24' };
const DEVICE = '/dev/disk/by-id/nvme-eui.0025385b9150a1c4';

/** What the host reports while `run` goes on. */
async function observing<T>(links: (usual: ObservedLink[]) => ObservedLink[], run: () => Promise<T>): Promise<T> {
  const usual = scene.links;
  try {
    scene.links = links(usual);
    await scene.save('POST', 'interfaces/refresh');
    return await run();
  } finally {
    scene.links = usual;
    await scene.save('POST', 'interfaces/refresh');
  }
}

describe('reservations', () => {
  test.each([
    ['the broadcast address of a narrower subnet', '192.168.10.127', '192.168.10.2/25'],
    ['the network address of a narrower subnet', '192.168.10.128', '192.168.10.130/25'],
  ])('one that would become %s refuses', async (_name, address, cidr) => {
    await scene.scope({ ranges: [] });
    await scene.reservation('esx01', address);
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: cidr }));
    expect(blocker).toMatchObject({ subject: 'Reservation esx01', reason: expect.stringContaining(address) });
  });

  test('one that is kept for a host of network boot leads to the host, which can be edited', async () => {
    const { id } = await scene.scope({ ranges: [] });
    const host = await scene.save('POST', 'network-boot/esxi-hosts', {
      hostname: 'esx02',
      mac_address: '00:50:56:aa:bb:02',
      ip_address: '192.168.10.231',
    });
    const there = {
      page: `/ui/management/network-boot/hosts/${host.id}`,
      unblock: expect.stringMatching(/delete the host/),
    };
    const narrower = { ipv4_cidr: '192.168.77.2/25' };
    const [blocker] = await scene.refused(() => scene.edit('ens224', narrower));
    expect(blocker).toMatchObject(there);
    expect((await scene.send('PATCH', `dhcp/scopes/${id}`, { enabled: false })).body.blockers).toMatchObject([there]);
    await scene.save('PATCH', `network-boot/esxi-hosts/${host.id}`, { ip_address: '192.168.10.31' });
    expect((await scene.edit('ens224', narrower)).status).toBe(200);
  });
});

describe('families that are only hoped for', () => {
  test('a datastore refuses to lose its only IPv6 address, though router advertisements may bring another', async () => {
    const volume = await scene.save('POST', 'storage/volumes', { name: 'iso', device: DEVICE });
    const datastore = { name: 'v6', volume_id: volume.id, interface: 'ens224', address_families: ['ipv6'] };
    await scene.save('POST', 'storage/datastores', datastore);
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv6_cidr: '' }));
    expect(blocker!.subject).toBe('Datastore v6');
  });

  test('a link-local address carries no service', async () => {
    await scene.listen(['kms'], ['ens224']);
    await scene.edit('ens224', { ipv6_enabled: false });
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '169.254.3.4/16' }));
    expect(blocker!.page).toBe('/ui/management/kms/settings');
  });
});

describe('addresses beside services', () => {
  test('the appliance’s own servers for names follow', async () => {
    await scene.save('PATCH', 'network/settings', { dns_servers: ['192.168.10.2', '10.10.0.53'] });
    const { body } = await scene.edit('ens224', move);
    expect(await scene.save('GET', 'network/settings')).toMatchObject({
      dns_servers: ['192.168.77.2', '10.10.0.53'],
      revision: 2,
    });
    expect(body.impact.refreshed_units).toEqual(['network']);
    await scene.edit('ens224', { ipv4_cidr: '' });
    expect((await scene.save('GET', 'network/settings')).dns_servers).toEqual(['10.10.0.53']);
  });

  test('the firewall’s management networks are named for a look', async () => {
    await scene.save('PATCH', 'firewall/settings', { management_networks: ['10.10.0.0/24'] });
    const { body } = await scene.edit('ens192', { ipv4_cidr: '10.99.0.5/24' });
    expect(body.impact.notes).toEqual([expect.stringContaining('10.10.0.0/24')]);
    expect((await scene.save('GET', 'firewall/settings')).management_networks).toEqual(['10.10.0.0/24']);
  });

  test('a URL in an option follows, and so does an address in another spelling', async () => {
    const url = { code: 67, value: 'http://192.168.10.2:8081/boot.efi' };
    const other = { code: 17, value: 'iscsi:192.168.10.2:6:3260' };
    const spelled = { code: 22, address_family: 'ipv6', value: '[FD00:20::2]' };
    const ids: string[] = [];
    for (const option of [url, other, spelled]) ids.push((await scene.save('POST', 'dhcp/options', option)).id);
    await scene.edit('ens224', { ...move, ipv6_cidr: 'fd00:77::2/64' });
    const values = await Promise.all(ids.map(async (id) => (await scene.save('GET', `dhcp/options/${id}`)).value));
    expect(values).toEqual(['http://192.168.77.2:8081/boot.efi', 'iscsi:192.168.10.2:6:3260', '[fd00:77::2]']);
  });
});

describe('scopes', () => {
  const now = (id: string) => scene.save('GET', `dhcp/scopes/${id}`);

  test('the gateway of a wide scope follows the other interface whose address it is', async () => {
    await scene.save('PATCH', 'vlans/vlan_30', { ipv4_cidr: '192.168.11.2/24' });
    const { id } = await scene.scope({ subnet_cidr: '192.168.0.0/16', ranges: [], gateway: '192.168.11.2' });
    await scene.save('PATCH', 'vlans/vlan_30', { ipv4_cidr: '192.168.12.2/24' });
    expect(await now(id)).toMatchObject({ gateway: '192.168.12.2', subnet_cidr: '192.168.0.0/16' });
  });
});

describe('a look at the host', () => {
  test('takes along whatever named the address that DHCP gave before', async () => {
    await scene.listen(['boot'], ['ens192'], { uefi_http_url: 'http://10.10.0.5:8081/boot.efi' });
    await scene.save('PATCH', 'network/settings', { dns_servers: ['10.10.0.5'] });
    const { id } = await scene.scope({ dns_servers: ['10.10.0.5'] });
    const option = await scene.save('POST', 'dhcp/options', { code: 66, value: '10.10.0.5' });
    await scene.edit('ens192', { ipv4_method: 'dhcp' });
    const given = (links: ObservedLink[]) =>
      links.map((link) => (link.name === 'ens192' ? { ...link, ipv4_cidrs: ['10.10.0.77/24'] } : link));
    const found = await observing(given, async () => [
      (await scene.settings('boot')).uefi_http_url,
      (await scene.save('GET', 'network/settings')).dns_servers,
      (await scene.save('GET', `dhcp/scopes/${id}`)).dns_servers,
      (await scene.save('GET', `dhcp/options/${option.id}`)).value,
    ]);
    expect(found).toEqual(['http://10.10.0.77:8081/boot.efi', ['10.10.0.77'], ['10.10.0.77'], '10.10.0.77']);
  });

  test('settings and scopes stay editable on a link that is gone while another bears its name', async () => {
    await scene.listen(['kms'], ['ens256.20']);
    const { id } = await scene.scope({ interface: 'ens256.20', subnet_cidr: '172.16.20.0/24', ranges: [] });
    const swapped = (links: ObservedLink[]) =>
      links.flatMap((link) =>
        link.name === 'ens256' ? [] : link.name === 'ens224' ? { ...link, name: 'ens256' } : link,
      );
    const seen = await observing(swapped, async () => {
      const { interface: name } = await scene.save('GET', `dhcp/scopes/${id}`);
      return [
        name,
        (await scene.settings('kms')).listen_interfaces,
        (await scene.send('PATCH', `dhcp/scopes/${id}`, { interface: name, description: 'old card' })).status,
        (await scene.send('PATCH', 'kms/settings', { listen_interfaces: ['ens192'] })).status,
      ];
    });
    expect(seen).toEqual(['ens256-absent.20', ['ens256-absent.20'], 200, 200]);
  });
});

describe('names and addresses of others', () => {
  test('registered names follow the domain of their scope, all or none', async () => {
    for (const name of ['lab.example', 'other.example']) await scene.save('POST', 'dns/zones', { name });
    const { id } = await scene.scope({ domain: 'lab.example', ranges: [] });
    await scene.reservation('esx01', '192.168.10.31', { register_dns: true });
    await scene.reservation('esx02.lab.example', '192.168.10.32', { register_dns: true });
    const names = async () =>
      (await scene.send('GET', 'dns/records')).body.items.map(({ fqdn }: { fqdn: string }) => fqdn).sort();
    await scene.save('PATCH', `dhcp/scopes/${id}`, { domain: 'other.example' });
    expect(await names()).toEqual(['esx01.other.example', 'esx02.lab.example']);
    const heard = await scene.send('PATCH', `dhcp/scopes/${id}`, { domain: 'nowhere.example' });
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/domain']);
    expect(await names()).toEqual(['esx01.other.example', 'esx02.lab.example']);
  });

  test('an operator’s record beside those that the appliance keeps is refused at once', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.listen(['kms'], ['ens224'], { hostname: 'kms.lab.example' });
    const record = { fqdn: 'kms.lab.example', type: 'A', value: '192.168.10.99' };
    const heard = await scene.send('POST', 'dns/records', record);
    expect([heard.status, heard.body.error_code, heard.body.errors[0].pointer]).toEqual([
      409,
      'state_conflict',
      '/fqdn',
    ]);
    expect((await scene.send('POST', 'dns/records', { ...record, type: 'TXT', value: 'a note' })).status).toBe(201);
  });

  test('the name service does not ask itself', async () => {
    const heard = await scene.send('PATCH', 'dns-dhcp/settings', {
      upstream_servers: ['10.10.0.53', '192.168.10.2#53'],
    });
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/upstream_servers/1']);
  });

  test('a record of an operator at the address that moves is named for a look', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.save('POST', 'dns/records', { fqdn: 'gc01.lab.example', type: 'A', value: '192.168.10.2' });
    const { body } = await scene.edit('ens224', { ipv4_cidr: '192.168.77.2/24' });
    expect(body.impact.notes).toEqual([expect.stringContaining('gc01.lab.example has 192.168.10.2')]);
  });

  test('one answer names the range and the reservation that do not fit', async () => {
    await scene.scope();
    await scene.reservation('esx01', '192.168.10.240');
    const blockers = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '192.168.10.2/25' }));
    expect(blockers.map(({ subject }) => subject)).toEqual(['DHCP scope lab', 'Reservation esx01']);
  });

  test('a scope that loses its interface is one blocker, not one for each server on it', async () => {
    await scene.listen(['dns', 'ntp'], ['ens192', 'ens224']);
    await scene.scope();
    const blockers = await scene.refused(() => scene.edit('ens224', { enabled: false }));
    expect(blockers.map(({ subject }) => subject)).toEqual(['DHCP scope lab']);
  });

  test('a host name that a program would read as an address is refused, and half a character too', async () => {
    const hex = await scene.send('PATCH', 'kms/settings', { hostname: '0x0a000001' });
    expect([hex.status, hex.body.errors[0].pointer]).toEqual([422, '/hostname']);
    const raw = '{"description": "a\\ud800b"}';
    const heard = await scene.house.send('POST', '/api/v1/dns/zones', {
      token: scene.admin.token,
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([heard.status, heard.body.error_code]).toEqual([400, 'malformed_json']);
  });
});
