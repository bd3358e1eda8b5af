// The interface edit rules, one test for each rule and precision, through the REST operations on a real database. What
// DHCP scopes and reservations do is in dependents-dhcp.test.ts.
import { describe, expect, test } from '@jest/globals';
import { SERVICES, type Service, setScene } from './dependents-scene.ts';

const scene = setScene();
const ALL = Object.keys(SERVICES) as Service[];
const move = { ipv4_cidr: '192.168.77.2/24' };

describe('rule 1: changing a CIDR refreshes what depends on it', () => {
  test('every service on the interface answers at the new address', async () => {
    await scene.listen(ALL, ['ens224']);
    const { status, body } = await scene.edit('ens224', move);
    expect(status).toBe(200);
    for (const service of ALL) {
      const { listen_addresses, revision } = await scene.settings(service);
      expect([service, listen_addresses, revision]).toEqual([service, ['192.168.77.2', 'fd00:20::2'], 2]);
    }
    expect(body.impact.refreshed_units).toEqual([
      'dns-dhcp',
      'ntp',
      'certificate-authority',
      'kms',
      'ldap',
      'oidc',
      'private-cloud-services',
      'network-boot',
      'web-terminal',
    ]);
  });

  test('both families follow in one edit', async () => {
    await scene.listen(['kms'], ['ens224']);
    await scene.edit('ens224', { ...move, ipv6_cidr: 'fd00:77::2/64' });
    expect(await scene.settings('kms')).toMatchObject({
      listen_addresses: ['192.168.77.2', 'fd00:77::2'],
      revision: 2,
    });
  });

  test('a management network is renumbered in one edit', async () => {
    await scene.listen(ALL, ['ens192']);
    await scene.edit('ens192', { ipv4_cidr: '10.99.0.5/24' });
    for (const service of ALL) expect((await scene.settings(service)).listen_addresses).toEqual(['10.99.0.5']);
  });

  test('an ESX datastore is mounted at the new address', async () => {
    const datastore = await makeDatastore();
    expect(datastore.addresses).toEqual(['192.168.10.2']);
    const { body } = await scene.edit('ens224', move);
    expect(body.impact.refreshed_units).toEqual(['storage']);
    const after = await scene.save('GET', `storage/datastores/${datastore.id}`);
    expect(after).toMatchObject({ addresses: ['192.168.77.2'], revision: 2 });
  });

  test('a boot URL follows its address and keeps port and path', async () => {
    await scene.listen(['boot'], ['ens224'], { uefi_http_url: 'http://192.168.10.2:8081/boot.efi' });
    await scene.edit('ens224', move);
    expect((await scene.settings('boot')).uefi_http_url).toBe('http://192.168.77.2:8081/boot.efi');
  });

  test('a boot URL of another machine stays', async () => {
    await scene.listen(['boot'], ['ens224'], { uefi_http_url: 'http://192.168.10.9/boot.efi' });
    await scene.edit('ens224', move);
    expect((await scene.settings('boot')).uefi_http_url).toBe('http://192.168.10.9/boot.efi');
  });

  test('a VLAN edit obeys the same rules', async () => {
    await scene.listen(['ldap'], ['ens256.20']);
    await scene.save('PATCH', 'vlans/vlan_20', { ipv4_cidr: '172.16.99.2/24' });
    expect((await scene.settings('ldap')).listen_addresses).toEqual(['172.16.99.2']);
  });

  test('a new VLAN makes nothing follow', async () => {
    await scene.listen(['ldap'], ['ens256.20']);
    await scene.save('POST', 'vlans', { parent_interface: 'ens256', vlan_id: 40, ipv4_cidr: '172.16.40.2/24' });
    expect(await scene.settings('ldap')).toMatchObject({ revision: 1 });
  });
});

describe('rule 1: records of service host names follow', () => {
  const records = async () =>
    (
      (await scene.send('GET', 'dns/records')).body.items as {
        fqdn: string;
        type: string;
        value: string;
        owner: object;
      }[]
    )
      .map(({ fqdn, type, value }) => `${fqdn} ${type} ${value}`)
      .sort();

  test('in the same transaction, with their ids', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.listen(['kms'], ['ens224'], { hostname: 'kms.lab.example' });
    expect(await records()).toEqual(['kms.lab.example A 192.168.10.2', 'kms.lab.example AAAA fd00:20::2']);
    const [before] = (await scene.send('GET', 'dns/records?type=A')).body.items;
    const { body } = await scene.edit('ens224', move);
    expect(await records()).toEqual(['kms.lab.example A 192.168.77.2', 'kms.lab.example AAAA fd00:20::2']);
    const [after] = (await scene.send('GET', 'dns/records?type=A')).body.items;
    expect([after.id, after.revision]).toEqual([before.id, before.revision + 1]);
    expect(body.impact.refreshed_units).toEqual(['dns-dhcp', 'kms']);
  });

  test('an operator’s record of that name is never touched, and none is kept beside it', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.save('POST', 'dns/records', { fqdn: 'kms.lab.example', type: 'A', value: '192.168.10.2' });
    await scene.listen(['kms'], ['ens224'], { hostname: 'kms.lab.example' });
    await scene.edit('ens224', move);
    expect(await records()).toEqual(['kms.lab.example A 192.168.10.2']);
  });

  test('they go with the service', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.listen(['kms'], ['ens224'], { hostname: 'kms.lab.example' });
    await scene.save('PATCH', 'kms/settings', { enabled: false });
    expect(await records()).toEqual([]);
  });
});

describe('a listener’s addresses are always derived', () => {
  test('a request cannot set them', async () => {
    const heard = await scene.send('PATCH', 'kms/settings', { listen_addresses: ['10.1.1.1'] });
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/listen_addresses']);
  });
});

describe('the last interface that can carry a service', () => {
  test('cannot be let go of in the service’s own settings either', async () => {
    await scene.listen(['kms'], ['ens192', 'ens224']);
    await scene.house.services.store.write((tx) => tx.run("UPDATE interface SET present = 0 WHERE name = 'ens224'"));
    const heard = await scene.send('PATCH', 'kms/settings', { listen_interfaces: ['ens224'] });
    await scene.house.services.store.write((tx) => tx.run("UPDATE interface SET present = 1 WHERE name = 'ens224'"));
    expect([heard.status, heard.body.errors[0].pointer]).toEqual([422, '/listen_interfaces']);
  });
});

describe('rule 2: all or nothing', () => {
  test('a refused edit saves neither the interface nor what would have followed', async () => {
    await scene.listen(['kms'], ['ens192', 'ens224']);
    await scene.listen(['ldap'], ['ens224']);
    const blockers = await scene.refused(() => scene.edit('ens224', { ipv4_cidr: '', ipv6_enabled: false }));
    expect(blockers.map(({ subject }) => subject)).toEqual(['LDAP']);
  });
});

describe('rule 3: what a last binding needs is not taken away', () => {
  const TAKEN: [string, object][] = [
    ['removing both families', { ipv4_cidr: '', ipv6_enabled: false }],
    ['going to trunk', { mode: 'trunk' }],
    ['disabling it', { enabled: false }],
    ['making it unused', { role: 'unused' }],
  ];
  test.each(TAKEN)('%s is refused for each of the services, all named', async (_name, body) => {
    await scene.listen(
      ALL.filter((service) => service !== 'ca'),
      ['ens224'],
    );
    const blockers = await scene.refused(() => scene.edit('ens224', body));
    expect(blockers.map(({ page }) => page)).toEqual([
      '/ui/management/dns/settings',
      '/ui/management/ntp/settings',
      '/ui/management/kms/settings',
      '/ui/management/ldap/settings',
      '/ui/management/oidc',
      '/ui/management/offline-depot/settings',
      '/ui/management/network-boot/settings',
      '/ui/management/web-terminal',
    ]);
    for (const { reason, unblock } of blockers) {
      expect(reason).toContain('ens224');
      expect(unblock).toMatch(/another interface.*or switch it off/);
    }
  });

  test('one family of two may go: the service answers at the other', async () => {
    await scene.listen(['oidc'], ['ens224']);
    await scene.edit('ens224', { ipv6_enabled: false });
    expect((await scene.settings('oidc')).listen_addresses).toEqual(['192.168.10.2']);
  });

  test('a boot URL on the family that goes is rebuilt on the one that stays', async () => {
    await scene.listen(['boot'], ['ens224'], { uefi_http_url: 'http://[fd00:20::2]:8081/boot.efi' });
    await scene.edit('ens224', { ipv6_enabled: false });
    expect((await scene.settings('boot')).uefi_http_url).toBe('http://192.168.10.2:8081/boot.efi');
  });

  test('a datastore refuses the loss of a family it is shared in, and no other', async () => {
    const { id } = await makeDatastore({ address_families: ['ipv6'] });
    const [blocker] = await scene.refused(() => scene.edit('ens224', { ipv6_enabled: false }));
    expect(blocker).toMatchObject({ subject: 'Datastore vsan-iso', page: `/ui/management/storage/datastores/${id}` });
    expect(blocker!.reason).toContain('IPv6');
    expect((await scene.edit('ens224', move)).status).toBe(200);
  });

  test('what is switched off does not refuse, and keeps its choice', async () => {
    await scene.save('PATCH', 'kms/settings', { listen_interfaces: ['ens224'] });
    const { id } = await makeDatastore({ enabled: false });
    expect((await scene.edit('ens224', { enabled: false })).status).toBe(200);
    expect(await scene.settings('kms')).toMatchObject({ listen_interfaces: ['ens224'], listen_addresses: [] });
    expect((await scene.save('GET', `storage/datastores/${id}`)).interface).toBe('ens224');
  });

  test('deleting a VLAN is refused as long as it is a last binding', async () => {
    await scene.listen(['kms'], ['ens256.20']);
    const [blocker] = await scene.refused(() => scene.send('DELETE', 'vlans/vlan_20'));
    expect(blocker).toMatchObject({
      subject: expect.stringMatching(/key management/i),
      page: '/ui/management/kms/settings',
    });
  });
});

describe('rule 4: only the ineligible selection goes while others remain', () => {
  test('of a service, the web terminal and network boot', async () => {
    await scene.listen(['kms', 'terminal', 'boot'], ['ens192', 'ens224']);
    const { body } = await scene.edit('ens224', { enabled: false });
    for (const service of ['kms', 'terminal', 'boot'] as const) {
      expect(await scene.settings(service)).toMatchObject({
        listen_interfaces: ['ens192'],
        listen_addresses: ['10.10.0.5'],
      });
    }
    expect(
      body.impact.deselected.map((gone: { unit: string; interface: string }) => [gone.unit, gone.interface]),
    ).toEqual([
      ['kms', 'ens224'],
      ['network-boot', 'ens224'],
      ['web-terminal', 'ens224'],
    ]);
  });

  test('disabling a parent evaluates its enabled VLANs', async () => {
    await scene.listen(['kms'], ['ens256.20']);
    await scene.listen(['ldap'], ['ens256.30', 'ens192']);
    const blockers = await scene.refused(() => scene.edit('ens256', { enabled: false }));
    expect(blockers).toHaveLength(1);
    expect(blockers[0]!.reason).toContain('ens256.20');
    await scene.save('PATCH', 'kms/settings', { enabled: false });
    expect((await scene.edit('ens256', { enabled: false })).status).toBe(200);
    expect((await scene.settings('ldap')).listen_interfaces).toEqual(['ens192']);
  });

  test('deleting a VLAN takes it out of the selections', async () => {
    await scene.listen(['kms'], ['ens256.20', 'ens192']);
    await scene.save('PATCH', 'ldap/settings', { listen_interfaces: ['ens256.20'] });
    expect((await scene.send('DELETE', 'vlans/vlan_20')).status).toBe(204);
    expect((await scene.settings('kms')).listen_interfaces).toEqual(['ens192']);
    expect((await scene.settings('ldap')).listen_interfaces).toEqual([]);
  });

  test('the smallest edit that the blocker names unblocks', async () => {
    await scene.listen(['kms'], ['ens224']);
    await scene.refused(() => scene.edit('ens224', { enabled: false }));
    await scene.save('PATCH', 'kms/settings', { listen_interfaces: ['ens224', 'ens192'] });
    expect((await scene.edit('ens224', { enabled: false })).status).toBe(200);
  });
});

describe('rule 5: the certificate authority', () => {
  test('loses its portal binding and its record, and custody stays', async () => {
    await scene.save('POST', 'dns/zones', { name: 'lab.example' });
    await scene.listen(['ca'], ['ens224'], { portal_hostname: 'ca.lab.example' });
    expect((await scene.send('GET', 'dns/records')).body.items).toHaveLength(2);
    const { status, body } = await scene.edit('ens224', { enabled: false });
    expect([status, body.impact.refreshed_units]).toEqual([200, ['dns-dhcp', 'certificate-authority']]);
    expect(await scene.settings('ca')).toMatchObject({ enabled: true, listen_interfaces: [], listen_addresses: [] });
    expect((await scene.send('GET', 'dns/records')).body.items).toEqual([]);
  });

  test('keeps the portal where another interface remains', async () => {
    await scene.listen(['ca'], ['ens192', 'ens224']);
    await scene.edit('ens224', { enabled: false });
    expect(await scene.settings('ca')).toMatchObject({ enabled: true, listen_interfaces: ['ens192'] });
  });
});

describe('rule 9: the audit event names the refreshed units', () => {
  test('in the order of an apply, and none when nothing followed', async () => {
    await scene.listen(['kms', 'dns'], ['ens224']);
    await scene.edit('ens224', move);
    await scene.edit('ens224', { mtu: 1400 });
    const { items } = (await scene.send('GET', 'audit?action=network.interface.update&limit=2')).body;
    expect(items.map(({ detail }: { detail: { refreshed_units: string[] } }) => detail.refreshed_units)).toEqual([
      [],
      ['dns-dhcp', 'kms'],
    ]);
  });
});

describe('rules 10 and 11: the management UI', () => {
  test('an edit that leaves no effective listener is refused', async () => {
    const heard = await scene.edit('ens192', { ipv4_cidr: '' });
    expect([heard.status, heard.body.error_code]).toEqual([409, 'no_management_listener']);
  });

  test('the flag exposes the UI without a word to anything that listens', async () => {
    await scene.listen(['kms'], ['ens224']);
    const { body } = await scene.edit('ens224', { access_management_ui_enabled: true });
    expect([body.role, body.impact.refreshed_units]).toEqual(['access', []]);
    expect(await scene.settings('kms')).toMatchObject({ revision: 1 });
  });
});

describe('rows that did not change', () => {
  test('keep their revision: a service on another interface, and every service when only the MTU changes', async () => {
    await scene.listen(['kms'], ['ens192']);
    await scene.listen(['ldap'], ['ens224']);
    await scene.edit('ens224', move);
    expect([(await scene.settings('kms')).revision, (await scene.settings('ldap')).revision]).toEqual([1, 2]);
    await scene.edit('ens224', { mtu: 1400 });
    expect((await scene.settings('ldap')).revision).toBe(2);
  });
});

describe('a look at the host', () => {
  test('takes the settings of a renamed link along, and refuses nothing', async () => {
    await scene.listen(['kms'], ['ens224']);
    const datastore = await makeDatastore();
    const { id } = await scene.scope();
    const renamed = (to: string) =>
      scene.links.map((link) => (/02$/.test(link.mac_address) ? { ...link, name: to } : link));
    const rule = await scene.save('POST', 'firewall/rules', { name: 'ssh', action: 'drop', interface: 'ens224' });
    scene.links = renamed('enp1s0');
    const found = await scene.save('POST', 'interfaces/refresh');
    expect(found.refreshed_units).toEqual(['firewall', 'dns-dhcp', 'kms', 'storage']);
    expect(await scene.save('GET', `firewall/rules/${rule.id}`)).toMatchObject({ interface: 'enp1s0', revision: 2 });
    expect(await scene.settings('kms')).toMatchObject({
      listen_interfaces: ['enp1s0'],
      listen_addresses: ['192.168.10.2', 'fd00:20::2'],
    });
    expect((await scene.save('GET', `dhcp/scopes/${id}`)).interface).toBe('enp1s0');
    expect((await scene.save('GET', `storage/datastores/${datastore.id}`)).interface).toBe('enp1s0');
    scene.links = renamed('ens224');
    await scene.save('POST', 'interfaces/refresh');
  });

  test('brings the address that DHCP gave to whoever listens there', async () => {
    await scene.listen(['kms'], ['ens192']);
    await scene.edit('ens192', { ipv4_method: 'dhcp' });
    const given = (cidr: string) =>
      scene.links.map((link) => (link.name === 'ens192' ? { ...link, ipv4_cidrs: [cidr] } : link));
    const links = scene.links;
    scene.links = given('10.10.0.77/24');
    await scene.save('POST', 'interfaces/refresh');
    expect((await scene.settings('kms')).listen_addresses).toEqual(['10.10.0.77']);
    scene.links = links;
    await scene.save('POST', 'interfaces/refresh');
  });
});

describe('impact before saving', () => {
  test('a dry run tells what would move, and saves nothing', async () => {
    await scene.listen(['kms'], ['ens224']);
    const before = await scene.dump();
    const dry = await scene.edit('ens224', move, '?dry_run=true');
    expect(await scene.dump()).toBe(before);
    const real = await scene.edit('ens224', move);
    expect(dry.body.impact).toEqual(real.body.impact);
    expect(real.body.impact.moves).toEqual([
      {
        unit: 'kms',
        subject: expect.any(String),
        page: '/ui/management/kms/settings',
        property: 'listen_addresses',
        from: '192.168.10.2, fd00:20::2',
        to: '192.168.77.2, fd00:20::2',
      },
    ]);
  });

  test('a dry run of a refused edit names the same blockers', async () => {
    await scene.listen(['kms'], ['ens224']);
    const [dry, real] = [
      await scene.edit('ens224', { enabled: false }, '?dry_run=true'),
      await scene.edit('ens224', { enabled: false }),
    ];
    expect([dry.status, dry.body.blockers]).toEqual([409, real.body.blockers]);
  });

  test('a dry run of a deletion answers the VLAN with what would follow', async () => {
    await scene.listen(['kms'], ['ens256.20', 'ens192']);
    const dry = await scene.send('DELETE', 'vlans/vlan_20', undefined, '?dry_run=true');
    expect([dry.status, dry.body.impact.deselected]).toEqual([
      200,
      [expect.objectContaining({ interface: 'ens256.20' })],
    ]);
    expect((await scene.settings('kms')).listen_interfaces).toEqual(['ens256.20', 'ens192']);
  });

  test('clients of the network that moves are named for a look', async () => {
    await scene.listen(['ntp'], ['ens224'], { allowed_clients: ['192.168.10.0/24'] });
    const { body } = await scene.edit('ens224', move);
    expect(body.impact.notes).toEqual([expect.stringContaining('192.168.10.0/24')]);
    expect((await scene.settings('ntp')).allowed_clients).toEqual(['192.168.10.0/24']);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a datastore as answered.
async function makeDatastore(more: object = {}): Promise<any> {
  const volume = await scene.save('POST', 'storage/volumes', {
    name: 'iso',
    device: '/dev/disk/by-id/nvme-eui.0025385b9150a1c4',
  });
  return scene.save('POST', 'storage/datastores', {
    name: 'vsan-iso',
    volume_id: volume.id,
    interface: 'ens224',
    address_families: ['ipv4'],
    ...more,
  });
}
