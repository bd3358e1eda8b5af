// What stays as it is while a restore changes the interfaces: it follows them, or it is in the way and is named.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { furnish } from '../../../setup/furnish.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { bytesOf, restore } from './scene.ts';

let house: House;
let admin: Credentials;
let bytes: Buffer;
beforeEach(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor();
  await furnish(house, admin);
  bytes = await bytesOf(house, true);
});
afterEach(() => house.close());

const send = (method: string, path: string, body?: object) =>
  house.send(method, `/api/v1/${path}`, { token: admin.token, ...(body && { body }) });
const patched = async (path: string, body: object) => expect((await send('PATCH', path, body)).status).toBe(200);

test('settings that are the same on both sides get the addresses of the interfaces that come back', async () => {
  await patched('interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24' });
  const [source] = (await send('GET', 'ntp/sources')).body.items;
  await patched(`ntp/sources/${source.id}`, { description: 'Edited since' });
  await restore(house, bytes);
  expect((await send('GET', 'ntp/settings')).body.listen_addresses).toEqual(['192.168.10.2', '172.16.20.2']);
  const { items } = (await send('GET', 'dns/records?fqdn=ntp.lab.example')).body;
  expect(items.map(({ value }: { value: string }) => value)).toContain('192.168.10.2');
  expect(items.map(({ value }: { value: string }) => value)).not.toContain('192.168.77.2');
  expect((await restore(house, bytes)).differences).toEqual([]);
});

test('a scope that stays without its network is in the way, and is named', async () => {
  const vlans = (await send('GET', 'vlans')).body.items as { id: string; vlan_id: number }[];
  const { id } = vlans.find(({ vlan_id }) => vlan_id === 30)!;
  await patched(`vlans/${id}`, { ipv4_cidr: '172.16.39.2/24' });
  await send('POST', 'dns/zones', { name: 'since.example' });
  const units = [{ unit: 'network' }, { unit: 'dns-dhcp', collections: [{ collection: 'dns_zones' }] }];
  const before = await bytesOf(house, true);
  await expect(restore(house, bytes, { mode: 'replace', units })).rejects.toMatchObject({
    members: { blockers: expect.arrayContaining([expect.objectContaining({ subject: 'DHCP scopes: vmotion' })]) },
  });
  expect((await bytesOf(house, true)).equals(before)).toBe(true);
});

test('groups that stay are looked at where their members go', async () => {
  const { items } = (await send('GET', 'ldap/users?uid=ada')).body;
  const { organization_id } = items[0];
  const eve = { organization_id, uid: 'eve', surname: 'Ning' };
  expect((await send('POST', 'ldap/users', eve)).status).toBe(201);
  const since = { organization_id, name: 'Since', member_users: ['eve'] };
  expect((await send('POST', 'ldap/groups', since)).status).toBe(201);
  const collections = [{ collection: 'ldap_users' }, { collection: 'ldap_passwords' }];
  const before = await bytesOf(house, true);
  await expect(
    restore(house, bytes, { mode: 'replace', units: [{ unit: 'ldap', collections }] }),
  ).rejects.toMatchObject({
    members: {
      blockers: [
        expect.objectContaining({
          subject: 'Directory groups: Since',
          reason: 'member_users: There is no user "eve" in this organization.',
        }),
      ],
    },
  });
  expect((await bytesOf(house, true)).equals(before)).toBe(true);
  await restore(house, bytes, { mode: 'merge', units: [{ unit: 'ldap', collections }] });
});

test('a Kickstart that comes back disabled is in the way while a host that stays installs with it', async () => {
  const [host] = (await send('GET', 'network-boot/esxi-hosts')).body.items.filter(
    ({ kickstart_id }: { kickstart_id: string | null }) => kickstart_id !== null,
  );
  const kickstart = `network-boot/kickstarts/${host.kickstart_id}`;
  await patched(`network-boot/esxi-hosts/${host.id}`, { kickstart_id: null });
  await patched(kickstart, { enabled: false });
  const disabled = await bytesOf(house, true);
  await patched(kickstart, { enabled: true });
  await patched(`network-boot/esxi-hosts/${host.id}`, { kickstart_id: host.kickstart_id });
  const units = [{ unit: 'network-boot', collections: [{ collection: 'network_boot_kickstarts' }] }];
  await expect(restore(house, disabled, { mode: 'replace', units })).rejects.toMatchObject({
    members: { blockers: [expect.objectContaining({ subject: 'Kickstarts: Compute' })] },
  });
});
