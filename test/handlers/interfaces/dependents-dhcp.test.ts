// The interface edit rules for DHCP: scopes, values of operators, reservations with what is kept for them, and the legacy
// binding. One test for each rule and precision, through the REST operations on a real database.
import { describe, expect, test } from '@jest/globals';
import { setScene } from './dependents-scene.ts';

const scene = setScene();
const move = { ipv4_cidr: '192.168.77.2/24' };
// biome-ignore lint/suspicious/noExplicitAny: a scope as answered.
const scopeNow = (id: string): Promise<any> => scene.save('GET', `dhcp/scopes/${id}`);
// biome-ignore lint/suspicious/noExplicitAny: a reservation as answered.
const reservationNow = (id: string): Promise<any> => scene.save('GET', `dhcp/reservations/${id}`);

describe('rule 1: matching DHCP scopes', () => {
  test('a scope is rebased by host offset', async () => {
    const { id } = await scene.scope({ gateway: '192.168.10.2' });
    const { body } = await scene.edit('ens224', move);
    expect(await scopeNow(id)).toMatchObject({
      subnet_cidr: '192.168.77.0/24',
      ranges: [{ start: '192.168.77.100', end: '192.168.77.200' }],
      gateway: '192.168.77.2',
      revision: 2,
    });
    expect(body.impact.refreshed_units).toEqual(['dns-dhcp']);
  });

  test('an IPv6 scope too', async () => {
    const { id } = await scene.scope({
      address_family: 'ipv6',
      subnet_cidr: 'fd00:20::/64',
      ranges: [{ start: 'fd00:20::1000', end: 'fd00:20::1fff' }],
    });
    await scene.edit('ens224', { ipv6_cidr: 'fd00:77::2/64' });
    expect(await scopeNow(id)).toMatchObject({
      subnet_cidr: 'fd00:77::/64',
      ranges: [{ start: 'fd00:77::1000', end: 'fd00:77::1fff' }],
    });
  });

  test('inside its own prefix: a narrower scope keeps its length', async () => {
    const { id } = await scene.scope({
      subnet_cidr: '192.168.10.128/26',
      ranges: [{ start: '192.168.10.140', end: '192.168.10.150' }],
      gateway: 'none',
    });
    await scene.edit('ens224', move);
    expect(await scopeNow(id)).toMatchObject({
      subnet_cidr: '192.168.77.128/26',
      ranges: [{ start: '192.168.77.140', end: '192.168.77.150' }],
    });
  });

  test('as wide as the interface, it takes the new prefix length', async () => {
    const { id } = await scene.scope();
    await scene.edit('ens224', { ipv4_cidr: '192.168.64.2/22' });
    expect(await scopeNow(id)).toMatchObject({
      subnet_cidr: '192.168.64.0/22',
      ranges: [{ start: '192.168.64.100', end: '192.168.64.200' }],
    });
  });

  test('a range that no longer fits refuses the edit', async () => {
    const { id } = await scene.scope();
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '192.168.10.2/25' }));
    expect(blocker).toMatchObject({ subject: 'DHCP scope lab', page: `/ui/management/dhcp/scopes/${id}` });
    expect(blocker!.reason).toContain('192.168.10.100 to 192.168.10.200');
    expect(blocker!.unblock).toMatch(/Shorten or remove the range/);
  });

  test('a stale scope, outside the old network, is rebased from its own', async () => {
    const { id } = await scene.scope();
    await scene.house.services.store.write((tx) =>
      tx.run(
        `UPDATE dhcp_scope SET subnet_cidr = '10.44.0.0/24', gateway = '10.44.0.1',
           ranges = '[{"start":"10.44.0.100","end":"10.44.0.200"}]'`,
      ),
    );
    await scene.edit('ens224', move);
    expect(await scopeNow(id)).toMatchObject({
      subnet_cidr: '192.168.77.0/24',
      ranges: [{ start: '192.168.77.100', end: '192.168.77.200' }],
      gateway: '192.168.77.1',
    });
  });

  test('another host address in the same network moves nothing but what named it', async () => {
    const { id } = await scene.scope({ gateway: '192.168.10.2', dns_servers: ['192.168.10.53'] });
    await scene.edit('ens224', { ipv4_cidr: '192.168.10.9/24' });
    expect(await scopeNow(id)).toMatchObject({
      subnet_cidr: '192.168.10.0/24',
      ranges: [{ start: '192.168.10.100', end: '192.168.10.200' }],
      gateway: '192.168.10.9',
      dns_servers: ['192.168.10.53'],
      revision: 2,
    });
  });

  test('a scope on another interface keeps its revision', async () => {
    const { id } = await scene.scope({ interface: 'ens256.20', subnet_cidr: '172.16.20.0/24', ranges: [] });
    await scene.edit('ens224', move);
    expect(await scopeNow(id)).toMatchObject({ revision: 1 });
  });
});

describe('rule 3: an enabled scope keeps its interface', () => {
  test.each([
    ['removing IPv4', { ipv4_cidr: '' }],
    ['going to trunk', { mode: 'trunk' }],
    ['disabling', { enabled: false }],
  ])('%s is refused, whether or not the DHCP service is on', async (_name, body) => {
    const { id } = await scene.scope();
    const [blocker] = await scene.refused(() => scene.edit('ens224', body));
    expect(blocker).toMatchObject({ subject: 'DHCP scope lab', page: `/ui/management/dhcp/scopes/${id}` });
    await scene.save('PATCH', 'dhcp/settings', { enabled: true });
    await scene.refused(() => scene.edit('ens224', body));
  });

  test('removing IPv6 is no affair of an IPv4 scope', async () => {
    await scene.scope();
    expect((await scene.edit('ens224', { ipv6_enabled: false })).status).toBe(200);
  });

  test('a scope that is off neither refuses nor changes', async () => {
    const { id } = await scene.scope({ enabled: false });
    expect((await scene.edit('ens224', { enabled: false })).status).toBe(200);
    expect(await scopeNow(id)).toMatchObject({ subnet_cidr: '192.168.10.0/24', revision: 1 });
  });

  test('disabling a parent is refused for the scope of its VLAN, and so is deleting the VLAN', async () => {
    await scene.scope({ interface: 'ens256.20', subnet_cidr: '172.16.20.0/24', ranges: [] });
    await scene.refused(() => scene.edit('ens256', { enabled: false }));
    await scene.refused(() => scene.send('DELETE', 'vlans/vlan_20'));
  });
});

describe('rule 6: gateway, DNS and NTP values', () => {
  test('valid ones of the operator stay', async () => {
    const { id } = await scene.scope({ gateway: 'none', dns_servers: ['10.10.0.53'], ntp_servers: ['10.10.0.123'] });
    await scene.edit('ens224', move);
    expect(await scopeNow(id)).toMatchObject({
      gateway: 'none',
      dns_servers: ['10.10.0.53'],
      ntp_servers: ['10.10.0.123'],
    });
  });

  test('an operator’s gateway stays while it lies in the subnet, and keeps its offset when it would not', async () => {
    const { id } = await scene.scope({ gateway: '192.168.10.254' });
    await scene.edit('ens224', { ipv4_cidr: '192.168.8.2/22' });
    expect((await scopeNow(id)).gateway).toBe('192.168.10.254');
    await scene.edit('ens224', { ipv4_cidr: '192.168.64.2/22' });
    expect((await scopeNow(id)).gateway).toBe('192.168.66.254');
  });

  test('a gateway that would follow the appliance out of a narrower subnet refuses', async () => {
    const { id } = await scene.scope({ subnet_cidr: '192.168.10.0/26', ranges: [] });
    expect((await scopeNow(id)).gateway).toBe('');
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '192.168.10.130/24' }));
    expect(blocker!.reason).toContain('would become 192.168.10.130, outside of 192.168.10.0/26');
  });

  test('ones equal to an address that was replaced follow it, on every scope that names it', async () => {
    await scene.listen(['dns', 'ntp'], ['ens224']);
    const own = await scene.scope({ dns_servers: ['192.168.10.2', '10.10.0.53'] });
    const other = await scene.scope({
      name: 'vlan20',
      interface: 'ens256.20',
      subnet_cidr: '172.16.20.0/24',
      ranges: [],
      dns_servers: ['192.168.10.2'],
      ntp_servers: ['192.168.10.2'],
    });
    await scene.edit('ens224', move);
    expect((await scopeNow(own.id)).dns_servers).toEqual(['192.168.77.2', '10.10.0.53']);
    expect(await scopeNow(other.id)).toMatchObject({
      subnet_cidr: '172.16.20.0/24',
      dns_servers: ['192.168.77.2'],
      ntp_servers: ['192.168.77.2'],
    });
  });

  test('blank ones follow and stay blank, none stays none, and the impact says what clients are told', async () => {
    await scene.listen(['dns', 'ntp'], ['ens224']);
    const { id } = await scene.scope({ ntp_servers: ['none'] });
    const follows = { gateway: '', dns_servers: [], ntp_servers: ['none'] };
    expect(await scopeNow(id)).toMatchObject(follows);
    const { body } = await scene.edit('ens224', move);
    expect(await scopeNow(id)).toMatchObject(follows);
    const moves: { subject: string; property: string; from: string; to: string }[] = body.impact.moves;
    const told = moves.filter(({ subject, property }) => subject === 'DHCP scope lab' && property !== 'ranges');
    expect(told.map(({ property, from, to }) => `${property} ${from} → ${to}`)).toEqual([
      'subnet_cidr 192.168.10.0/24 → 192.168.77.0/24',
      'gateway 192.168.10.2 → 192.168.77.2',
      'dns_servers 192.168.10.2 → 192.168.77.2',
    ]);
  });

  test('an edit that the scope only follows leaves its row alone, and its unit has a change to apply', async () => {
    await scene.save('PATCH', 'dhcp/settings', { enabled: true });
    const { id } = await scene.scope({ ranges: [] });
    const { body } = await scene.edit('ens224', { ipv4_cidr: '192.168.10.9/24' });
    expect(await scopeNow(id)).toMatchObject({ gateway: '', revision: 1 });
    expect(body.impact.refreshed_units).toContain('dns-dhcp');
  });

  test('an address that goes for good is dropped where others remain, and refuses as the only one', async () => {
    const { id } = await scene.scope({
      interface: 'ens256.20',
      subnet_cidr: '172.16.20.0/24',
      ranges: [],
      dns_servers: ['192.168.10.2', '10.10.0.53'],
      ntp_servers: ['192.168.10.2'],
    });
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '' }));
    expect(blocker!.reason).toContain('only NTP server');
    await scene.save('PATCH', `dhcp/scopes/${id}`, { ntp_servers: ['10.10.0.123'] });
    await scene.edit('ens224', { ipv4_cidr: '' });
    expect((await scopeNow(id)).dns_servers).toEqual(['10.10.0.53']);
  });
});

describe('rule 7: reservations', () => {
  const named = { register_dns: true };

  test('one that would leave every scope keeps its offset, with the record that the appliance keeps for it', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.scope({ domain: 'lab.example' });
    const { id } = await scene.reservation('esx01', '192.168.10.31', named);
    const operators = await scene.save('POST', 'dns/records', {
      fqdn: 'esx01-old.lab.example',
      type: 'A',
      value: '192.168.10.31',
    });
    const { body } = await scene.edit('ens224', move);
    expect(await reservationNow(id)).toMatchObject({ ip_address: '192.168.77.31', revision: 2 });
    const { items } = (await scene.send('GET', 'dns/records?fqdn=esx01.lab.example')).body;
    expect(items.map(({ value, revision }: { value: string; revision: number }) => [value, revision])).toEqual([
      ['192.168.77.31', 2],
    ]);
    expect((await scene.save('GET', `dns/records/${operators.id}`)).value).toBe('192.168.10.31');
    expect(body.impact.moves_total).toBe(5);
  });

  test('one that stays in an enabled scope stays', async () => {
    await scene.scope();
    const { id } = await scene.reservation('esx01', '192.168.10.31');
    await scene.edit('ens224', { ipv4_cidr: '192.168.8.2/22' });
    expect(await reservationNow(id)).toMatchObject({ ip_address: '192.168.10.31', revision: 1 });
  });

  test('one without a place in the moved scope refuses', async () => {
    await scene.scope({ ranges: [] });
    const { id } = await scene.reservation('esx01', '192.168.10.231');
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '192.168.77.2/25' }));
    expect(blocker).toMatchObject({
      subject: 'Reservation esx01',
      page: `/ui/management/dhcp/reservations/${id}`,
      reason: expect.stringContaining('leave every enabled scope'),
    });
  });

  test('one that could follow two scopes refuses', async () => {
    await scene.scope({ ranges: [] });
    await scene.reservation('esx01', '192.168.10.31');
    // No request makes scopes that overlap; an older release did.
    await scene.house.services.store.write((tx) =>
      tx.run(
        `INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers, ntp_servers,
           lease_time, domain, created_at, updated_at)
         SELECT 'scope_two', 'two', address_family, interface, '192.168.10.0/25', '[]', 'none', '[]', '[]', 600, '', '', ''
           FROM dhcp_scope`,
      ),
    );
    const blockers = await scene.refused(() => scene.edit('ens224', move));
    expect(blockers.map(({ subject }) => subject)).toContain('Reservation esx01');
  });

  test('one cannot register a name that a service or an operator has, nor delete a zone under it', async () => {
    const zone = await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.scope({ domain: 'lab.example' });
    await scene.listen(['oidc'], ['ens224'], { hostname: 'id.lab.example' });
    await scene.save('POST', 'dns/records', { fqdn: 'gc01.lab.example', type: 'A', value: '10.10.0.5' });
    for (const hostname of ['id', 'gc01']) {
      const body = { hostname, mac_address: '02:00:00:00:00:66', ip_address: '192.168.10.66', register_dns: true };
      const heard = await scene.send('POST', 'dhcp/reservations', body);
      expect([heard.status, heard.body.errors[0].pointer]).toEqual([409, '/register_dns']);
    }
    await scene.reservation('esx01', '192.168.10.31', named);
    const gone = await scene.send('DELETE', `dns/zones/${zone.id}`, undefined, '?with_records=true');
    expect([gone.status, gone.body.blockers.map(({ subject }: { subject: string }) => subject)]).toEqual([
      409,
      ['DNS record esx01.lab.example'],
    ]);
    const { items } = (await scene.send('GET', 'dns/records?fqdn=esx01.lab.example')).body;
    expect((await scene.send('DELETE', `dns/records/${items[0].id}`)).status).toBe(409);
  });

  test('a machine registers both of its addresses under one name', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.scope({ domain: 'lab.example' });
    await scene.scope({
      name: 'six',
      address_family: 'ipv6',
      subnet_cidr: 'fd00:20::/64',
      ranges: [],
      domain: 'lab.example',
    });
    const mac = { mac_address: '02:00:00:00:00:31' };
    await scene.reservation('esx01', '192.168.10.31', { ...named, ...mac });
    await scene.reservation('esx01', 'fd00:20::31', { ...named, ...mac });
    expect((await scene.send('GET', 'dns/records?fqdn=esx01.lab.example')).body.items).toHaveLength(2);
  });

  test('a DNS record in its way refuses', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.scope({ domain: 'lab.example' });
    await scene.reservation('esx01', '192.168.10.31', named);
    await scene.save('POST', 'dns/records', { fqdn: 'esx01.lab.example', type: 'A', value: '192.168.77.31' });
    const [blocker] = await scene.refused(() => scene.edit('ens224', move));
    expect(blocker!.reason).toContain('esx01.lab.example');
  });

  test('a host of network boot moves with its reservation', async () => {
    await scene.scope();
    const host = await scene.save('POST', 'network-boot/esxi-hosts', {
      hostname: 'esx02.lab.example',
      mac_address: '00:50:56:aa:bb:02',
      ip_address: '192.168.10.32',
    });
    const { body } = await scene.edit('ens224', move);
    expect(await scene.save('GET', `network-boot/esxi-hosts/${host.id}`)).toMatchObject({
      ip_address: '192.168.77.32',
      revision: host.revision + 1,
    });
    expect(body.impact.refreshed_units).toEqual(['dns-dhcp', 'network-boot']);
  });

  test('a reservation that does not agree with its host refuses', async () => {
    await scene.scope();
    await scene.save('POST', 'network-boot/esxi-hosts', {
      hostname: 'esx02.lab.example',
      mac_address: '00:50:56:aa:bb:02',
      ip_address: '192.168.10.32',
    });
    await scene.house.services.store.write((tx) =>
      tx.run("UPDATE network_boot_host SET mac_address = '00:50:56:aa:bb:03'"),
    );
    const [blocker] = await scene.refused(() => scene.edit('ens224', move));
    expect(blocker!.reason).toContain('does not agree');
  });

  test('one at the very address that the interface gets refuses', async () => {
    await scene.scope();
    await scene.reservation('esx01', '192.168.10.31');
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '192.168.10.31/24' }));
    expect(blocker!.reason).toContain('this very address');
  });

  test('one that is off stays', async () => {
    await scene.scope();
    const { id } = await scene.reservation('esx01', '192.168.10.31', { enabled: false });
    await scene.edit('ens224', move);
    expect(await reservationNow(id)).toMatchObject({ ip_address: '192.168.10.31', revision: 1 });
  });
});

describe('rule 8: the legacy global binding', () => {
  const binding = {
    enabled: true,
    interface: 'ens224',
    subnet_cidr: '192.168.10.0/24',
    ranges: [{ start: '192.168.10.100', end: '192.168.10.200' }],
  };

  test('constrains and follows while there is no scope', async () => {
    await scene.save('PATCH', 'dhcp/legacy-binding', binding);
    const [blocker] = await scene.refused(() => scene.edit('ens224', { enabled: false }));
    expect(blocker).toMatchObject({ page: '/ui/management/dhcp/legacy-binding' });
    await scene.edit('ens224', move);
    expect(await scene.save('GET', 'dhcp/legacy-binding')).toMatchObject({
      subnet_cidr: '192.168.77.0/24',
      ranges: [{ start: '192.168.77.100', end: '192.168.77.200' }],
      revision: 2,
    });
  });

  test('is kept as it is and constrains nothing once a scope exists', async () => {
    await scene.save('PATCH', 'dhcp/legacy-binding', binding);
    await scene.scope({ interface: 'ens256.20', subnet_cidr: '172.16.20.0/24', ranges: [] });
    expect((await scene.edit('ens224', { enabled: false })).status).toBe(200);
    expect(await scene.save('GET', 'dhcp/legacy-binding')).toMatchObject({
      subnet_cidr: '192.168.10.0/24',
      revision: 1,
    });
  });
});

describe('what an edit costs', () => {
  const made = async (count: number) => {
    await scene.house.services.store.write((tx) =>
      tx.run(
        `WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT OR IGNORE INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
         SELECT 'res_' || i, 'host' || i, '02:00:00:00:00:' || i, 'ipv4', '192.168.10.' || i, '', '' FROM n`,
        [count],
      ),
    );
  };
  const cost = async (cidr: string) => {
    scene.statements.splice(0);
    expect((await scene.edit('ens224', { ipv4_cidr: cidr })).status).toBe(200);
    return scene.statements.map((sql) => sql.replaceAll(/\s+/g, ' '));
  };

  test('the same statements for one reservation and for ninety', async () => {
    await scene.scope({ ranges: [] });
    await made(10);
    const one = await cost('192.168.77.2/24');
    await scene.edit('ens224', { ipv4_cidr: '192.168.10.2/24' });
    await made(99);
    const ninety = await cost('192.168.77.2/24');
    expect(ninety).toEqual(one);
    expect(one.length).toBeLessThanOrEqual(13);
  });
});

describe('options', () => {
  const option = (more: object) => scene.save('POST', 'dhcp/options', { code: 66, value: '192.168.10.2', ...more });

  test('an address of the appliance in a value follows; every other value is the operator’s', async () => {
    const own = await option({ code: 150, value: '192.168.10.2,192.168.10.60' });
    const text = await option({ value: 'boot.lab.example' });
    await scene.edit('ens224', move);
    expect(await scene.save('GET', `dhcp/options/${own.id}`)).toMatchObject({
      value: '192.168.77.2,192.168.10.60',
      revision: 2,
    });
    expect(await scene.save('GET', `dhcp/options/${text.id}`)).toMatchObject({ revision: 1 });
  });

  test('an option whose only value would be gone refuses', async () => {
    await option({});
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '' }));
    expect(blocker!.subject).toBe('DHCP option 66');
  });
});
