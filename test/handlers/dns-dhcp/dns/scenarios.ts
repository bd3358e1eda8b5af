// What is asked of the API of the name service and what it answers: one row a rule, each beginning with the same zones.
import { expect } from '@jest/globals';
import type { House } from '../../../setup/house.ts';

export const AT = '2026-01-01T00:00:00.000Z';

/** The zones lab.test and other.test with four records, and settings never saved. */
export async function furnishDns(house: House): Promise<void> {
  await house.services.store.write(async (tx) => {
    for (const table of ['dns_record', 'dns_zone', 'unit_settings']) await tx.run(`DELETE FROM ${table}`);
    await tx.run(
      `INSERT INTO dns_zone (id, name, created_at, updated_at, revision)
       VALUES ('zone_lab', 'lab.test', '${AT}', '${AT}', 3), ('zone_other', 'other.test', '${AT}', '${AT}', 3)`,
    );
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, owner_source, owner_component, zone_id, created_at, updated_at, revision)
       VALUES ('rec_vc', 'vc01.lab.test', 'A', '10.20.10.11', NULL, NULL, 'zone_lab', '${AT}', '${AT}', 3),
         ('rec_esx', 'esx01.sub.lab.test', 'A', '10.20.10.21', NULL, NULL, 'zone_lab', '${AT}', '${AT}', 3),
         ('rec_alias', 'www.other.test', 'CNAME', 'vc01.lab.test', NULL, NULL, 'zone_other', '${AT}', '${AT}', 3),
         ('rec_owned', 'nsx01.lab.test', 'A', '10.20.10.12', 'vcf_helper', 'nsx01', 'zone_lab', '${AT}', '${AT}', 3)`,
    );
  });
}

export const ZONES = '/api/v1/dns/zones';
export const RECORDS = '/api/v1/dns/records';
export const SETTINGS = '/api/v1/dns-dhcp/settings';
export const record = (fqdn: string, type: string, value: string) => ({ fqdn, type, value });

export interface Scenario {
  name: string;
  send: [method: string, target: string, body?: unknown, headers?: Record<string, string>];
  /** Role of the caller; admin where it says nothing. */
  by?: 'viewer' | 'network-admin';
  status: number;
  /** What the answer holds at least. */
  holds?: Record<string, unknown>;
  /** Pointers of a refusal. */
  pointers?: string[];
  audited?: string[];
}

const code = (error_code: string) => ({ error_code });
export const named = (...names: string[]) => ({ items: names.map((fqdn) => expect.objectContaining({ fqdn })) });

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'zones are listed by name',
    send: ['GET', ZONES],
    status: 200,
    holds: {
      items: [expect.objectContaining({ name: 'lab.test' }), expect.objectContaining({ name: 'other.test' })],
      next_cursor: null,
    },
  },
  {
    name: 'a zone is looked up by its name in any spelling',
    send: ['GET', `${ZONES}?name=LAB.test.`],
    status: 200,
    holds: { items: [expect.objectContaining({ id: 'zone_lab' })] },
  },
  {
    name: 'a zone is saved in its canonical form',
    send: ['POST', ZONES, { name: 'Infra.Test.', description: 'Management' }],
    status: 201,
    holds: { name: 'infra.test', description: 'Management', enabled: true, revision: 1 },
    audited: ['dns.zone.create'],
  },
  {
    name: 'a zone exists once',
    send: ['POST', ZONES, { name: 'LAB.test' }],
    status: 409,
    holds: code('already_exists'),
    pointers: ['/name'],
  },
  {
    name: 'the name of an alias cannot become a zone',
    send: ['POST', ZONES, { name: 'www.other.test' }],
    status: 409,
    holds: code('state_conflict'),
    pointers: ['/name'],
  },
  {
    name: 'a reserved name is no zone',
    send: ['POST', ZONES, { name: 'localhost' }],
    status: 422,
    pointers: ['/name'],
  },
  {
    name: 'a zone keeps what is not named',
    send: ['PATCH', `${ZONES}/zone_lab`, { description: 'Lab' }, { 'if-match': '"r3"' }],
    status: 200,
    holds: { name: 'lab.test', enabled: true, description: 'Lab', revision: 4 },
    audited: ['dns.zone.update'],
  },
  {
    name: 'a zone that stays as it is keeps its revision',
    send: ['PATCH', `${ZONES}/zone_lab`, { name: 'lab.test', enabled: true }],
    status: 200,
    holds: { revision: 3 },
    audited: ['dns.zone.update'],
  },
  {
    name: 'the name of a zone cannot change',
    send: ['PATCH', `${ZONES}/zone_lab`, { name: 'new.test' }],
    status: 409,
    holds: code('state_conflict'),
    pointers: ['/name'],
  },
  {
    name: 'a stale edit of a zone is refused',
    send: ['PATCH', `${ZONES}/zone_lab`, { enabled: false }, { 'if-match': '"r2"' }],
    status: 412,
    holds: code('revision_stale'),
  },
  {
    name: 'a zone with records is not deleted, and the answer says how many it has',
    send: ['DELETE', `${ZONES}/zone_other`],
    status: 409,
    holds: { ...code('still_referenced'), detail: 'The zone other.test still has 1 record.' },
  },
  {
    name: 'a zone that an alias elsewhere points into is not deleted, with or without its records',
    send: ['DELETE', `${ZONES}/zone_lab?with_records=true`],
    status: 409,
    holds: {
      ...code('still_referenced'),
      blockers: [
        expect.objectContaining({ subject: 'Alias www.other.test', page: '/ui/management/dns/records/rec_alias' }),
      ],
    },
  },
  {
    name: 'a zone goes with its records when asked to',
    send: ['DELETE', `${ZONES}/zone_other?with_records=true`],
    status: 204,
    audited: ['dns.zone.delete'],
  },
  { name: 'an unknown zone is not found', send: ['GET', `${ZONES}/zone_x`], status: 404 },

  {
    name: 'records are listed by name',
    send: ['GET', RECORDS],
    status: 200,
    holds: named('esx01.sub.lab.test', 'nsx01.lab.test', 'vc01.lab.test', 'www.other.test'),
  },
  {
    name: 'records are looked up by name in any spelling',
    send: ['GET', `${RECORDS}?fqdn=VC01.lab.test.`],
    status: 200,
    holds: named('vc01.lab.test'),
  },
  {
    name: 'records are filtered by zone, type and value together',
    send: ['GET', `${RECORDS}?zone=lab.test&type=a&value=10.20.10.11`],
    status: 200,
    holds: named('vc01.lab.test'),
  },
  {
    name: 'records are found by a part of their name or value',
    send: ['GET', `${RECORDS}?search=VC01`],
    status: 200,
    holds: named('vc01.lab.test', 'www.other.test'),
  },
  {
    name: 'records are sorted by value, backwards too',
    send: ['GET', `${RECORDS}?sort=-value&limit=2`],
    status: 200,
    holds: named('www.other.test', 'esx01.sub.lab.test'),
  },
  { name: 'an unknown order is refused', send: ['GET', `${RECORDS}?sort=type`], status: 422, pointers: ['?sort'] },
  {
    name: 'a foreign cursor is refused',
    send: ['GET', `${RECORDS}?cursor=abc`],
    status: 400,
    holds: code('invalid_cursor'),
  },
  {
    name: 'a record is saved in its canonical form, in the zone of its name',
    send: ['POST', RECORDS, record('VC02.Lab.Test.', 'aaaa', 'FD00:0:0::11')],
    status: 201,
    holds: {
      fqdn: 'vc02.lab.test',
      type: 'AAAA',
      value: 'fd00::11',
      zone: 'lab.test',
      zone_id: 'zone_lab',
      owner: null,
      enabled: true,
      revision: 1,
    },
    audited: ['dns.record.create'],
  },
  {
    name: 'a record outside every zone is refused',
    send: ['POST', RECORDS, record('vc01.elsewhere.test', 'A', '10.0.0.1')],
    status: 422,
    pointers: ['/fqdn'],
  },
  {
    name: 'a reverse record without a reverse zone belongs to the zone that it points into',
    send: ['POST', RECORDS, record('11.10.20.10.in-addr.arpa', 'PTR', 'vc01.lab.test')],
    status: 201,
    holds: { zone: 'lab.test' },
    audited: ['dns.record.create'],
  },
  {
    name: 'a wrong value is pointed at',
    send: ['POST', RECORDS, record('vc02.lab.test', 'A', '10.0.0.300')],
    status: 422,
    pointers: ['/value'],
  },
  {
    name: 'an unknown type is pointed at',
    send: ['POST', RECORDS, record('vc02.lab.test', 'NAPTR', 'x')],
    status: 422,
    pointers: ['/type'],
  },
  {
    name: 'a wildcard is refused',
    send: ['POST', RECORDS, record('*.lab.test', 'A', '10.0.0.1')],
    status: 422,
    pointers: ['/fqdn'],
  },
  {
    name: 'the target of an alias has to lie in a managed zone',
    send: ['POST', RECORDS, record('cdn.lab.test', 'CNAME', 'cdn.example.com')],
    status: 422,
    pointers: ['/value'],
  },
  {
    name: 'aliases do not lead in a circle',
    send: [
      'POST',
      `${RECORDS}/bulk`,
      { records: [record('a.lab.test', 'CNAME', 'b.lab.test'), record('b.lab.test', 'CNAME', 'a.lab.test')] },
    ],
    status: 422,
    pointers: ['/records/0/value', '/records/1/value'],
  },
  {
    name: 'the name of a zone is no alias',
    send: ['POST', RECORDS, record('lab.test', 'CNAME', 'vc01.lab.test')],
    status: 422,
    pointers: ['/fqdn'],
  },
  {
    name: 'nothing stands beside an alias',
    send: ['POST', RECORDS, record('www.other.test', 'A', '10.0.0.1')],
    status: 409,
    holds: code('state_conflict'),
    pointers: ['/fqdn'],
  },
  {
    name: 'the same record exists once',
    send: ['POST', RECORDS, record('VC01.lab.test', 'A', '10.20.10.11')],
    status: 409,
    holds: code('already_exists'),
    pointers: ['/fqdn'],
  },
  {
    name: 'an owner is not taken from outside',
    send: ['POST', RECORDS, { ...record('x.lab.test', 'A', '10.0.0.1'), owner: { source: 'vcf_helper' } }],
    status: 422,
    pointers: ['/owner'],
  },
  {
    name: 'many records are saved in one call',
    send: [
      'POST',
      `${RECORDS}/bulk`,
      { records: [record('a.lab.test', 'A', '10.0.0.1'), record('b.other.test', 'CNAME', 'a.lab.test')] },
    ],
    status: 201,
    holds: named('a.lab.test', 'b.other.test'),
    audited: ['dns.record.create_many'],
  },
  {
    name: 'many records are saved all or none, and every fault is named',
    send: [
      'POST',
      `${RECORDS}/bulk`,
      {
        records: [
          record('a.lab.test', 'A', '10.0.0.1'),
          record('b.lab.test', 'A', 'x'),
          record('c.elsewhere.test', 'A', '10.0.0.1'),
          record('a.lab.test', 'A', '10.0.0.1'),
        ],
      },
    ],
    status: 422,
    pointers: ['/records/1/value', '/records/2/fqdn', '/records/3/fqdn'],
  },
  {
    name: 'many records that exist already are a conflict',
    send: ['POST', `${RECORDS}/bulk`, { records: [record('vc01.lab.test', 'A', '10.20.10.11')] }],
    status: 409,
    holds: code('already_exists'),
    pointers: ['/records/0/fqdn'],
  },
  {
    name: 'a thousand records and no more',
    send: ['POST', `${RECORDS}/bulk`, { records: Array(1001).fill(record('a.lab.test', 'A', '10.0.0.1')) }],
    status: 422,
    pointers: ['/records'],
  },
  {
    name: 'a record keeps what is not named',
    send: ['PATCH', `${RECORDS}/rec_vc`, { value: '10.20.10.13' }, { 'if-match': '"r3"' }],
    status: 200,
    holds: { fqdn: 'vc01.lab.test', value: '10.20.10.13', enabled: true, revision: 4 },
    audited: ['dns.record.update'],
  },
  {
    name: 'a record that stays as it is keeps its revision',
    send: ['PATCH', `${RECORDS}/rec_vc`, { fqdn: 'VC01.lab.test', type: 'a' }],
    status: 200,
    holds: { revision: 3 },
    audited: ['dns.record.update'],
  },
  {
    name: 'a record moves to the zone of its new name',
    send: ['PATCH', `${RECORDS}/rec_vc`, { fqdn: 'vc01.other.test' }],
    status: 200,
    holds: { zone: 'other.test', zone_id: 'zone_other' },
    audited: ['dns.record.update'],
  },
  {
    name: 'a record does not move out of every zone',
    send: ['PATCH', `${RECORDS}/rec_vc`, { fqdn: 'vc01.elsewhere.test' }],
    status: 422,
    pointers: ['/fqdn'],
  },
  {
    name: 'an alias is not pointed outside of the zones',
    send: ['PATCH', `${RECORDS}/rec_alias`, { value: 'cdn.example.com' }],
    status: 422,
    pointers: ['/value'],
  },
  {
    name: 'an alias keeps its target when it is renamed',
    send: ['PATCH', `${RECORDS}/rec_alias`, { fqdn: 'web.other.test' }],
    status: 200,
    holds: { fqdn: 'web.other.test', value: 'vc01.lab.test' },
    audited: ['dns.record.update'],
  },
  {
    name: 'an alias is not pointed at itself',
    send: ['PATCH', `${RECORDS}/rec_alias`, { value: 'www.other.test' }],
    status: 422,
    pointers: ['/value'],
  },
  {
    name: 'an edit does not run into another record',
    send: ['PATCH', `${RECORDS}/rec_vc`, { fqdn: 'nsx01.lab.test', value: '10.20.10.12' }],
    status: 409,
    holds: code('already_exists'),
    pointers: ['/fqdn'],
  },
  {
    name: 'the type of a record cannot change',
    send: ['PATCH', `${RECORDS}/rec_vc`, { type: 'TXT' }],
    status: 409,
    holds: code('state_conflict'),
    pointers: ['/type'],
  },
  {
    name: 'a record with an owner keeps its name and value',
    send: ['PATCH', `${RECORDS}/rec_owned`, { value: '10.20.10.99' }],
    status: 409,
    holds: code('state_conflict'),
  },
  {
    name: 'a record with an owner can be described and switched off',
    send: ['PATCH', `${RECORDS}/rec_owned`, { description: 'NSX', enabled: false }],
    status: 200,
    holds: { enabled: false, owner: { source: 'vcf_helper', ref: null, component: 'nsx01' } },
    audited: ['dns.record.update'],
  },
  {
    name: 'an address as the target of mail is refused',
    send: ['POST', RECORDS, { fqdn: 'mail.lab.test', type: 'MX', value: '10 10.0.0.9' }],
    status: 422,
    pointers: ['/value'],
  },
  {
    name: 'a stale edit of a record is refused',
    send: ['PATCH', `${RECORDS}/rec_vc`, { value: '10.0.0.9' }, { 'if-match': '"r9"' }],
    status: 412,
    holds: code('revision_stale'),
  },
  {
    name: 'a record is deleted',
    send: ['DELETE', `${RECORDS}/rec_owned`],
    status: 204,
    audited: ['dns.record.delete'],
  },
  { name: 'an unknown record is not found', send: ['DELETE', `${RECORDS}/rec_x`], status: 404 },
  { name: 'an unknown record is not changed', send: ['PATCH', `${RECORDS}/rec_x`, { enabled: true }], status: 404 },

  {
    name: 'settings that were never saved are the defaults at revision 0',
    send: ['GET', SETTINGS],
    status: 200,
    holds: { enabled: false, listen_interfaces: [], ttl_seconds: 300, revision: 0, updated_at: null },
  },
  {
    name: 'settings keep what is not named',
    send: ['PATCH', SETTINGS, { enabled: true, listen_interfaces: ['ens192'] }, { 'if-match': '"r0"' }],
    status: 200,
    holds: { enabled: true, listen_interfaces: ['ens192'], cache_size: 1000, revision: 1 },
    audited: ['dns-dhcp.settings.update'],
  },
  {
    name: 'the service listens on interfaces that exist',
    send: ['PATCH', SETTINGS, { listen_interfaces: ['ens192', 'ens999'] }],
    status: 422,
    pointers: ['/listen_interfaces/1'],
  },
  {
    name: 'a service that is on listens somewhere',
    send: ['PATCH', SETTINGS, { enabled: true }],
    status: 422,
    pointers: ['/listen_interfaces'],
  },
  {
    name: 'a service that is on listens on interfaces with an address',
    send: ['PATCH', SETTINGS, { enabled: true, listen_interfaces: ['ens192', 'ens224'] }],
    status: 422,
    pointers: ['/listen_interfaces/1'],
  },
  {
    name: 'an upstream server is another machine',
    send: ['PATCH', SETTINGS, { upstream_servers: ['127.0.0.1'] }],
    status: 422,
    pointers: ['/upstream_servers/0'],
  },
  {
    name: 'a viewer changes nothing',
    send: ['POST', RECORDS, record('a.lab.test', 'A', '10.0.0.1')],
    by: 'viewer',
    status: 403,
    holds: code('insufficient_scope'),
  },
  { name: 'a network admin does not see DNS', send: ['GET', ZONES], by: 'network-admin', status: 403 },
];
