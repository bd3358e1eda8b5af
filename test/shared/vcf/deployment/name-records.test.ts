// The records of a new appliance as desired state: saved with an owner and an audit event, and never in place of others.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JobRun } from '../../../../shared/kernel/jobs/run.ts';
import type { Addressing } from '../../../../shared/vcf/deployment/addressing.ts';
import { plannedRecords, savedWords, saveRecords } from '../../../../shared/vcf/deployment/name-records.ts';
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
  ...{ fqdn, name_servers: [], ntp_servers: [], local_password_key: null },
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
  expect(await saveRecords(job(), NEW)).toEqual({ records: [], conflicts: [], why_not: null, off: null });
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

test('a name service that is off: they are saved, and that they are not in force is said first', async () => {
  await patch({ enabled: false });
  const done = await saveRecords(job(), NEW);
  expect(await saved()).toHaveLength(2);
  expect(savedWords(done)).toEqual({
    text: 'Saved, not in force: the name service is off. sddc01.lab.test A 10.20.0.15, sddc01.lab.test AAAA fd00:20::15. Switch the name service on, then review the pending change and apply it.',
    saved: true,
    whole: false,
  });
  const again = savedWords(await saveRecords(job(), NEW));
  expect([again.text, again.whole]).toEqual([expect.stringMatching(/^Saved, not in force: .* were there/), false]);
  await patch({ enabled: true });
  expect(savedWords(await saveRecords(job(), NEW))).toMatchObject({ saved: true, whole: true });
});

test('a zone that is off: they are saved, and that they are not in force is said first', async () => {
  const [zone] = (await house.send('GET', '/api/v1/dns/zones', { token: admin.token })).body.items;
  const path = `/api/v1/dns/zones/${zone.id}`;
  expect((await house.send('PATCH', path, { token: admin.token, body: { enabled: false } })).status).toBe(200);
  expect(savedWords(await saveRecords(job(), NEW))).toMatchObject({
    text: expect.stringMatching(/^Saved, not in force: the zone lab\.test is off\. .*Switch the zone lab\.test on/),
    whole: false,
  });
});

test('a record that is off serves nobody, and is kept', async () => {
  await post('records', { fqdn: 'sddc01.lab.test', type: 'A', value: '10.20.0.15', enabled: false });
  const done = await saveRecords(job(), addressing('sddc01.lab.test', [4, '10.20.0.15']));
  expect(done.conflicts).toEqual(['sddc01.lab.test has A 10.20.0.15 already, but it is off']);
  expect(savedWords(done)).toMatchObject({ saved: false, whole: false });
});

const A = { fqdn: 'sddc01.lab.test', type: 'A', value: '10.20.0.15' };
const PLANNED = { records: [A], conflicts: [], why_not: null, off: null };
test.each([
  ['all of it', PLANNED, 'Saved: sddc01.lab.test A 10.20.0.15. They', [true, true]],
  [
    'a part',
    { ...PLANNED, conflicts: ['x has A y already'] },
    'Not overwritten: x has A y already. Saved',
    [true, false],
  ],
  ['nothing', { ...PLANNED, records: [], conflicts: ['x has A y already'] }, 'Nothing was saved. Not', [false, false]],
  ['no zone', { ...PLANNED, records: [], why_not: 'No zone.' }, 'No zone. Nothing was saved.', [false, false]],
  [
    'a part, off',
    { ...PLANNED, conflicts: ['x'], off: 'the name service' },
    'Saved, not in force: the name',
    [true, false],
  ],
])('what was done is said in the order of its weight: %s', (_name, planned, begins, [is_saved, whole]) => {
  const said = savedWords(planned);
  expect(said.text.startsWith(begins)).toBe(true);
  expect([said.saved, said.whole]).toEqual([is_saved, whole]);
});
