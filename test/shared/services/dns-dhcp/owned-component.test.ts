// The component in the owner of a record of the deployment helper: a host name of a catalog or none, also where an earlier
// release wrote down something else.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { helperOwner, ownedComponent } from '../../../../shared/services/dns-dhcp/owned-component.ts';
import { type Credentials, House } from '../../../setup/house.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await api('POST', '/api/v1/dns/zones', { name: 'lab.test' });
});
afterAll(() => house.close());

const api = (method: string, path: string, body?: object) =>
  house.send(method, path, { token: admin.token, ...(body && { body }) });

const SAVED: [source: string, ref: string | null, component: string | null, read: string | null][] = [
  ['vcf_helper', 'vcf-9.1', 'vc01', 'vc01'],
  ['vcf_helper', 'vvf-9.1', 'nsx01', 'nsx01'],
  ['vcf_helper', 'vcf-9.1', 'my vCenter', null],
  ['vcf_helper', null, 'VC01', null],
  ['vcf_helper', 'sddc-manager-deployment', 'sddc01', 'sddcm'],
  ['vcf_helper', 'sddc-manager-deployment', 'sddcm', 'sddcm'],
  ['vcf_helper', 'sddc-manager-deployment', null, null],
  ['dhcp_reservation', 'res_1', 'printer', 'printer'],
];

test.each(SAVED)('%s %s %p is read as %p', async (source, ref, component, read) => {
  expect(ownedComponent({ source, ref, component })).toBe(read);
  await house.services.store.write(async (tx) => {
    await tx.run('DELETE FROM dns_record');
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, owner_source, owner_ref, owner_component, zone_id, created_at, updated_at)
       SELECT 'rec_x', 'x.lab.test', 'A', '10.0.0.1', ?, ?, ?, id, created_at, created_at FROM dns_zone`,
      [source, ref, component],
    );
  });
  const owner = { source, ref, component: read };
  expect((await api('GET', '/api/v1/dns/records/rec_x')).body.owner).toEqual(owner);
  expect((await api('GET', '/api/v1/dns/records?fqdn=x.lab.test')).body.items).toMatchObject([{ owner }]);
});

test('a deletion of generated names leaves what a deployment saved, and what no catalog knows', async () => {
  await house.services.store.write(async (tx) => {
    await tx.run('DELETE FROM dns_record');
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, owner_source, owner_ref, owner_component, zone_id, created_at, updated_at)
       SELECT 'rec_' || (value ->> 0), (value ->> 0) || '.lab.test', 'A', '10.0.0.' || key, 'vcf_helper', value ->> 1, value ->> 2,
         dns_zone.id, created_at, created_at FROM dns_zone, json_each(?)`,
      [
        JSON.stringify([
          ['a-sddcm', 'sddc-manager-deployment', 'a-sddcm'],
          ['a-vc01', 'vcf-9.1', 'a-vc'],
        ]),
      ],
    );
  });
  const names = { catalog: 'vcf-9.1', prefix: 'a-', domain: 'lab.test' };
  const { body } = await api('POST', '/api/v1/vcf-helper/generated-fqdns/delete', names);
  expect(body.deleted).toEqual([]);
  const preserved = body.preserved.map(({ fqdn, reason }: { fqdn: string; reason: string }) => [fqdn, reason]);
  expect(preserved.sort()).toEqual([
    ['a-sddcm.lab.test', 'saved by a deployment'],
    ['a-vc01.lab.test', 'generated for the component unknown'],
  ]);
});

test('nothing else is ever written down', () => {
  expect(helperOwner('vcf-9.1', 'vc01')).toEqual({ source: 'vcf_helper', ref: 'vcf-9.1', component: 'vc01' });
  expect(helperOwner('vcf-9.1', null).component).toBeNull();
  for (const text of ['sddc01', 'VC01', '', 'vCenter']) expect(() => helperOwner('vcf-9.1', text)).toThrow('catalog');
});
