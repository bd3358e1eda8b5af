// The records of a new appliance as desired state: saved with an owner and an audit event, and never in place of others.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JobRun } from '../../../../shared/jobs/run.ts';
import type { Addressing } from '../../../../shared/vcf-helper/deployment/addressing.ts';
import { plannedRecords, saveRecords } from '../../../../shared/vcf-helper/deployment/name-records.ts';
import { type Credentials, House } from '../../../setup/house.ts';

let house: House;
let admin: Credentials;
beforeEach(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await patch({ enabled: true, listen_interfaces: ['ens192'] });
  await post('zones', { name: 'lab.test' });
});
afterEach(() => house.close());

const patch = (body: object) => house.send('PATCH', '/api/v1/dns-dhcp/settings', { token: admin.token, body });
const post = (what: string, body: object) => house.send('POST', `/api/v1/dns/${what}`, { token: admin.token, body });
const job = () => ({ services: house.services, id: 'job_x', job: { created_by: 'ada' } }) as unknown as JobRun;
const addressing = (fqdn: string | null, ...addresses: [4 | 6, string][]): Addressing => ({
  ...{ fqdn, hostname_key: null, name_servers: [], ntp_servers: [], local_password_key: null },
  addresses: addresses.map(([family, address]) => ({ key: 'ip0', family, address })),
});
const NEW = addressing('sddc01.lab.test', [4, '10.20.0.15'], [6, 'fd00:20::15']);
const saved = () =>
  house.services.store.all(
    'SELECT fqdn, type, value, owner_source, owner_ref, owner_component FROM dns_record ORDER BY type',
  );

test('both families, with whose they are and who saved them', async () => {
  const before = await house.lastAudit();
  await saveRecords(job(), NEW);
  const owner = { owner_source: 'vcf_helper', owner_ref: 'sddc-manager-deployment', owner_component: 'sddcm' };
  expect(await saved()).toEqual([
    { fqdn: 'sddc01.lab.test', type: 'A', value: '10.20.0.15', ...owner },
    { fqdn: 'sddc01.lab.test', type: 'AAAA', value: 'fd00:20::15', ...owner },
  ]);
  expect(await house.audited(before)).toEqual(['dns.record.create', 'dns.record.create']);
  expect(await saveRecords(job(), NEW)).toEqual({ records: [], conflicts: [], why_not: null });
});

test.each([
  ['A', '10.20.0.99'],
  ['CNAME', 'other.lab.test'],
])('a %s that is there is kept', async (type, value) => {
  await post('records', { fqdn: 'other.lab.test', type: 'A', value: '10.20.0.98' });
  await post('records', { fqdn: 'sddc01.lab.test', type, value });
  const { conflicts, records } = await saveRecords(job(), addressing('sddc01.lab.test', [4, '10.20.0.15']));
  expect(conflicts).toEqual([`sddc01.lab.test has ${type} ${value} already`]);
  expect(records).toEqual([]);
  expect(await saved()).toContainEqual(expect.objectContaining({ fqdn: 'sddc01.lab.test', type, value }));
});

test.each([
  ['no name', addressing(null, [4, '10.20.0.15'])],
  ['no address', addressing('sddc01.lab.test')],
  ['another zone', addressing('sddc01.elsewhere.test', [4, '10.20.0.15'])],
])('%s: says why not', async (_name, asked) => {
  expect(await plannedRecords(house.services.store, asked)).toMatchObject({ records: [], why_not: expect.any(String) });
});

test('a name service that is off: says why not', async () => {
  await patch({ enabled: false });
  expect((await plannedRecords(house.services.store, NEW)).why_not).toContain('switched off');
});
