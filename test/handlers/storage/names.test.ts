// The name that hosts mount datastores by: its records are the addresses of all enabled datastores, and follow them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;
let volume_id: string;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function api(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await api('POST', 'dns/zones', { name: 'lab.test' });
  ({ id: volume_id } = await api('POST', 'storage/volumes', { name: 'v', device: '/dev/disk/by-id/scsi-1' }));
});
afterAll(() => house.close());

const records = async (fqdn = 'nfs.lab.test') =>
  (await api('GET', 'dns/records?limit=200')).items
    .filter((record: { fqdn: string }) => record.fqdn === fqdn)
    .map(({ type, value }: { type: string; value: string }) => `${type} ${value}`)
    .sort();

test('the records follow the settings, each datastore, and its interface', async () => {
  const serving = { volume_id, interface: 'ens192', ipv4_clients: ['any'] };
  const { id } = await api('POST', 'storage/datastores', { ...serving, name: 'one', address_families: ['ipv4'] });
  await api('PATCH', 'storage/settings', { hostname: 'nfs.lab.test' });
  expect(await records()).toEqual([]);

  await api('PATCH', 'storage/settings', { enabled: true });
  expect(await records()).toEqual(['A 10.10.0.5']);

  const both = { ...serving, name: 'two', address_families: ['ipv4', 'ipv6'], ipv6_clients: ['any'] };
  const { id: two } = await api('POST', 'storage/datastores', both);
  expect(await records()).toEqual(['A 10.10.0.5', 'AAAA fd00:10::5']);
  // And one name a family, so that no host asks where a datastore does not answer.
  const families = async () => [await records('nfs-ipv4.lab.test'), await records('nfs-ipv6.lab.test')];
  expect(await families()).toEqual([['A 10.10.0.5'], ['AAAA fd00:10::5']]);

  await api('PATCH', `storage/datastores/${two}`, { enabled: false });
  expect(await records()).toEqual(['A 10.10.0.5']);
  expect(await families()).toEqual([['A 10.10.0.5'], []]);

  await api('PATCH', 'interfaces/physical/ens192', { ipv4_cidr: '10.10.0.6/24' });
  expect(await records()).toEqual(['A 10.10.0.6']);
  expect(await families()).toEqual([['A 10.10.0.6'], []]);

  await api('PATCH', 'storage/settings', { hostname: 'store.lab.test' });
  expect([await records(), await records('store.lab.test')]).toEqual([[], ['A 10.10.0.6']]);

  await api('DELETE', `storage/datastores/${id}`);
  expect(await records('store.lab.test')).toEqual([]);
  expect([await records('store-ipv4.lab.test'), await families()]).toEqual([[], [[], []]]);
});

test('a record of an operator with that name is left alone', async () => {
  await api('POST', 'dns/records', { fqdn: 'own.lab.test', type: 'A', value: '192.0.2.7' });
  await api('PATCH', 'storage/settings', { hostname: 'own.lab.test', enabled: true });
  const serving = { volume_id, interface: 'ens192', ipv4_clients: ['any'], address_families: ['ipv4'] };
  await api('POST', 'storage/datastores', { ...serving, name: 'three' });
  expect(await records('own.lab.test')).toEqual(['A 192.0.2.7']);
  await api('POST', 'dns/records', { fqdn: 'mine-ipv4.lab.test', type: 'A', value: '192.0.2.8' });
  await api('PATCH', 'storage/settings', { hostname: 'mine.lab.test' });
  expect([await records('mine-ipv4.lab.test'), await records('mine.lab.test')]).toEqual([
    ['A 192.0.2.8'],
    ['A 10.10.0.6'],
  ]);
});
