// The dependent refresh as a pure function, rule by rule: interfaces before and after, what is saved, and what follows.
// Services, their records, datastores, and what a discovery finds.
import { describe, expect, test } from '@jest/globals';
import type { NetworkInterface } from '../../../../../shared/platform/interfaces/interface.ts';
import { changeBetween } from '../../../../../shared/platform/interfaces/refresh/change.ts';
import { followHostRecords } from '../../../../../shared/platform/interfaces/refresh/host-records.ts';
import { rehosted } from '../../../../../shared/platform/interfaces/refresh/listeners.ts';
import { followObserved } from '../../../../../shared/platform/interfaces/refresh/observed.ts';
import {
  LEGACY_SCOPE,
  OWNER,
  type RecordRow,
  type ServiceRow,
  type Snapshot,
} from '../../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { standings } from '../../../../../shared/platform/interfaces/refresh/standing.ts';
import { management, row, trunk, vlan } from '../rows.ts';
import {
  DECLARED,
  datastore,
  edited,
  follow,
  LAB,
  movesOf,
  NO_IPV4,
  NO_IPV6,
  NO_VLAN,
  OFF,
  PARENT_OFF,
  RENUMBER,
  ROWS,
  record,
  refusals,
  scope,
  service,
  snapshot,
  TRUNK,
  UNUSED,
} from './rows.ts';

describe('a change', () => {
  test.each([
    ['MTU', edited('ens20', { mtu: 9000 })],
    ['access to route', edited('ens20', { role: 'route' })],
    ['the management flag', edited('ens20', { access_management_ui_enabled: true })],
    ['a link that vanished', edited('ens20', { present: false })],
  ])('of %s concerns nobody', (_name, after) => expect(changeBetween(ROWS, after)).toBeNull());

  test('replaces each address by the one of its family, or by none', () => {
    expect([...changeBetween(ROWS, RENUMBER)!.replaced]).toEqual([['10.0.0.1', '10.9.0.7']]);
    expect([...changeBetween(ROWS, NO_IPV6)!.replaced]).toEqual([['fd20::1', null]]);
    expect([...changeBetween(ROWS, OFF)!.replaced]).toEqual([
      ['10.0.0.1', null],
      ['fd20::1', null],
    ]);
  });

  test('of a trunk reaches its VLANs', () => {
    expect([...changeBetween(ROWS, PARENT_OFF)!.affected]).toEqual(['ens30.7']);
    expect([...changeBetween(ROWS, NO_VLAN)!.removed]).toEqual(['ens30.7']);
  });
});

describe('listeners', () => {
  test('follow every unit that selects the interface, and no other', () => {
    const services = [service('dns-dhcp', ['ens10', 'ens20']), service('ntp', ['ens20']), service('oidc', ['ens10'])];
    const after = follow(RENUMBER, { services });
    expect(after.writes.services.map(({ key, document }) => [key, document.listen_addresses])).toEqual([
      ['dns-dhcp', ['192.168.10.2', '10.9.0.7', 'fd20::1']],
      ['ntp', ['10.9.0.7', 'fd20::1']],
    ]);
    expect(after.units).toEqual(['dns-dhcp', 'ntp']);
    expect(after.blockers).toEqual([]);
  });

  const LAST: [string, readonly NetworkInterface[], string[], string][] = [
    ['switched off', OFF, ['ens20'], 'could not carry it any more'],
    ['made a trunk', TRUNK, ['ens20'], 'could not carry it any more'],
    ['made unused', UNUSED, ['ens20'], 'could not carry it any more'],
    ['under a parent that is switched off', PARENT_OFF, ['ens30.7'], 'could not carry it any more'],
    ['deleted', NO_VLAN, ['ens30.7'], 'would be deleted'],
  ];
  test.each(LAST)('refuse when their last interface is %s', (_name, after, names, reason) => {
    const found = follow(after, { services: [service('ntp', names)] });
    expect(refusals(found)).toEqual([`NTP: It listens on ${names} only, which ${reason}.`]);
    expect(found.blockers[0]).toMatchObject({ page: '/ntp', unblock: expect.stringContaining('switch it off') });
    expect(found.writes.services).toEqual([]);
  });
  test.each(LAST)('go on where others remain when one is %s', (_name, after, [lost]) => {
    const found = follow(after, { services: [service('ntp', [lost!, 'ens10'])] });
    expect(found.deselected).toEqual([{ unit: 'ntp', subject: 'NTP', page: '/ntp', interface: lost }]);
    expect(found.writes.services[0]!.document).toMatchObject({
      listen_interfaces: ['ens10'],
      listen_addresses: ['192.168.10.2'],
    });
    expect(found.blockers).toEqual([]);
  });
  test.each(LAST)('of the CA are cleared when their last interface is %s, and custody stays', (_name, after, names) => {
    const alias = record('ca.lab.test', '10.0.0.1', { source: OWNER.service, ref: 'certificate-authority' });
    const services = [service('certificate-authority', names, { portal_hostname: 'ca.lab.test' })];
    const found = follow(after, { services, records: [alias] });
    expect(found.blockers).toEqual([]);
    expect(found.writes.services[0]!.document).toMatchObject({
      enabled: true,
      listen_interfaces: [],
      listen_addresses: [],
      portal_hostname: 'ca.lab.test',
    });
    expect(found.writes.records.removed).toEqual([alias.id]);
  });

  test.each([
    ['keep their choice when they are off', OFF, { enabled: false }, ['ens20'], []],
    [
      'forget what is gone even when they are off',
      NO_VLAN,
      { enabled: false, listen_addresses: ['10.30.7.1'] },
      [],
      [],
    ],
    ['need one family only', NO_IPV4, {}, ['ens20'], ['fd20::1']],
    ['need no family that is gone', NO_IPV6, {}, ['ens20'], ['10.0.0.1']],
  ] as const)('%s', (_name, after, fields, names, addresses) => {
    const chosen = fields && 'listen_addresses' in fields ? ['ens30.7'] : ['ens20'];
    const found = follow(after, { services: [service('ntp', chosen, fields)] });
    expect(found.blockers).toEqual([]);
    expect(found.writes.services[0]!.document).toMatchObject({ listen_interfaces: names, listen_addresses: addresses });
  });

  test('an interface that carried nothing before is no affair of the edit', () => {
    const found = follow(RENUMBER, { services: [service('ntp', ['ens30', 'ens20'])] });
    expect(found.deselected).toEqual([]);
    expect(found.writes.services[0]!.document.listen_interfaces).toEqual(['ens30', 'ens20']);
  });

  test('a selection that carries nothing does not stand in for the last that does', () => {
    const found = follow(OFF, { services: [service('ntp', ['ens30', 'ens20'])] });
    expect(refusals(found)).toEqual(['NTP: It listens on ens20 only, which could not carry it any more.']);
  });

  test('a note names clients whose network moves', () => {
    const found = follow(RENUMBER, {
      services: [service('ntp', ['ens10'], { allowed: ['10.0.0.0/24', '10.1.0.0/24'] })],
    });
    expect(found.notes).toEqual([expect.stringContaining('NTP names 10.0.0.0/24 among its clients')]);
    expect(found.writes.services).toEqual([]);
  });

  test.each([
    ['https://10.0.0.1/a?b=c', 'https://10.9.0.7/a?b=c'],
    ['https://10.0.0.1:8443', 'https://10.9.0.7:8443'],
    ['https://user:word@10.0.0.1/', 'https://10.9.0.7/'],
    ['https://[fd20::1]:8443/x', 'https://[fd21::1]:8443/x'],
    ['https://10.0.0.9/', 'https://10.0.0.9/'],
    ['https://id.lab.test/', 'https://id.lab.test/'],
    ['no address at all', 'no address at all'],
    ['https://10.0.0.2/', 'https://192.168.10.2/'],
  ])('a URL on a replaced address follows: %s', (text, expected) => {
    const replaced = new Map([
      ['10.0.0.1', '10.9.0.7'],
      ['10.0.0.2', null],
      ['fd20::1', 'fd21::1'],
    ]);
    expect(rehosted(text, { replaced }, ['192.168.10.2'])).toBe(expected);
  });
  test('a URL stays when nothing is left to lead to', () =>
    expect(rehosted('https://10.0.0.2/', { replaced: new Map([['10.0.0.2', null]]) }, [])).toBe('https://10.0.0.2/'));
});

describe('records of service names', () => {
  const zones = new Map([
    ['lab.test', 'zone_a'],
    ['sub.lab.test', 'zone_b'],
  ]);
  const own = { source: OWNER.service, ref: 'ntp' };
  const ntp = (fields: Record<string, unknown> = {}) =>
    service('ntp', ['ens20'], { hostname: 'ntp.lab.test', ...fields });
  const records = (services: ServiceRow[], standing: RecordRow[]) =>
    followHostRecords(services, { records: standing, zones }, DECLARED).writes;
  const made = (values: string[], zone_id = 'zone_a', fqdn = 'ntp.lab.test') =>
    values.map((value) => ({ fqdn, type: value.includes(':') ? 'AAAA' : 'A', value, zone_id, owner: own }));

  test.each([
    ['one for each address', ntp(), [], made(['10.0.0.1', 'fd20::1']), []],
    ['none while off', ntp({ enabled: false }), [], [], []],
    ['none without a name', ntp({ hostname: '' }), [], [], []],
    ['none outside the zones', ntp({ hostname: 'ntp.other.test' }), [], [], []],
    [
      'in the nearest zone',
      ntp({ hostname: 'a.sub.lab.test' }),
      [],
      made(['10.0.0.1', 'fd20::1'], 'zone_b', 'a.sub.lab.test'),
      [],
    ],
    ['none beside an operator record', ntp(), [record('ntp.lab.test', '10.1.1.1')], [], []],
    ['none beside an alias', ntp(), [record('ntp.lab.test', 'x.lab.test', null, 'CNAME')], [], []],
    ['beside a text', ntp(), [record('ntp.lab.test', 'x', null, 'TXT')], made(['10.0.0.1', 'fd20::1']), []],
    ['only what lacks', ntp(), [record('ntp.lab.test', '10.0.0.1', own)], made(['fd20::1']), []],
    [
      'none that is left over',
      ntp({ enabled: false }),
      [record('ntp.lab.test', '10.0.0.1', own)],
      [],
      ['rec_ntp.lab.test_10.0.0.1'],
    ],
  ])('%s', (_name, row_, standing, added, removed) => {
    expect(records([row_], standing)).toEqual({ updated: [], added, removed });
  });

  test('a record that follows keeps its id', () => {
    const { writes } = follow(RENUMBER, {
      services: [ntp()],
      records: [record('ntp.lab.test', '10.0.0.1', own), record('ntp.lab.test', 'fd20::1', own, 'AAAA')],
    });
    expect(writes.records).toEqual({
      updated: [{ id: 'rec_ntp.lab.test_10.0.0.1', value: '10.9.0.7' }],
      added: [],
      removed: [],
    });
  });

  test('a shared name at one address is kept once, by the first', () => {
    const both = [ntp(), service('oidc', ['ens20'], { hostname: 'ntp.lab.test' })];
    expect(records(both, []).added.map(({ owner }) => owner.ref)).toEqual(['ntp', 'ntp']);
  });
});

describe('datastores', () => {
  const both = datastore({ address_families: ['ipv4', 'ipv6'], addresses: ['10.0.0.1', 'fd20::1'] });

  test('follow with the addresses of their families', () => {
    const found = follow(RENUMBER, { datastores: [datastore(), both, datastore({ id: 'c', interface: 'ens10' })] });
    expect(found.writes.datastores.map(({ addresses }) => addresses)).toEqual([['10.9.0.7'], ['10.9.0.7', 'fd20::1']]);
    expect(movesOf(found)[0]).toBe('addresses 10.0.0.1 → 10.9.0.7');
    expect(found.units).toEqual(['storage']);
  });

  test.each([
    ['IPv4 goes', NO_IPV4, datastore(), 'It is shared over IPv4 on ens20.'],
    ['IPv6 goes', NO_IPV6, both, 'It is shared over IPv6 on ens20.'],
    ['the interface is switched off', OFF, both, 'It is shared on ens20, which could not carry it any more.'],
    ['the interface becomes a trunk', TRUNK, datastore(), 'It is shared on ens20, which could not carry it any more.'],
    [
      'the VLAN is deleted',
      NO_VLAN,
      datastore({ interface: 'ens30.7' }),
      'It is shared on ens30.7, which could not carry it any more.',
    ],
  ])('refuse when %s', (_name, rows, row_, reason) => {
    expect(refusals(follow(rows, { datastores: [row_] }))).toEqual([`Datastore iso: ${reason}`]);
    const off = follow(rows, { datastores: [{ ...row_, enabled: false }] });
    expect(off.blockers).toEqual([]);
    expect(off.writes.datastores[0]).toMatchObject({ interface: rows === NO_VLAN ? '' : 'ens20' });
  });

  test('stay when only the other family goes', () => {
    const found = follow(NO_IPV6, { datastores: [datastore()] });
    expect([found.blockers, found.writes.datastores]).toEqual([[], []]);
  });

  test('a note names clients whose network moves', () => {
    const found = follow(RENUMBER, { datastores: [datastore({ clients: ['10.0.0.0/24'] })] });
    expect(found.notes).toEqual([expect.stringContaining('Datastore iso names 10.0.0.0/24')]);
  });
});

describe('what was observed', () => {
  const renames = new Map([['ens20', 'lan0']]);
  const rows = [management(), { ...row('lan0', LAB), name: 'lan0', id: 'lan0' }, trunk(), vlan(7)];
  const observe = (fields: Partial<Snapshot>, after = rows, names: ReadonlyMap<string, string> = renames) =>
    followObserved(snapshot(fields), standings(after), names, DECLARED);

  test('a new name follows into services, scopes, the legacy binding and datastores', () => {
    const { writes, units } = observe({
      services: [service('ntp', ['ens20', 'ens10']), service('oidc', ['ens10'])],
      scopes: [scope()],
      legacy: scope({ id: LEGACY_SCOPE }),
      datastores: [datastore()],
    });
    expect(writes.services.map(({ key, document }) => [key, document.listen_interfaces])).toEqual([
      ['ntp', ['lan0', 'ens10']],
    ]);
    expect([writes.scopes, [writes.legacy], writes.datastores].flat().map((each) => each?.interface)).toEqual([
      'lan0',
      'lan0',
      'lan0',
    ]);
    expect(units).toEqual(['dns-dhcp', 'ntp', 'storage']);
  });

  test('addresses that the network gave follow, and nothing is refused or deselected', () => {
    const given = [management({ ipv4_method: 'dhcp', ipv4_cidr: '', observed: null }), ...rows.slice(1)];
    const { writes } = observe(
      { services: [service('ntp', ['ens10'])], datastores: [datastore({ interface: 'ens10' })] },
      given,
    );
    expect(writes.services[0]!.document).toMatchObject({ listen_interfaces: ['ens10'], listen_addresses: [] });
    expect(writes.datastores[0]!.addresses).toEqual([]);
  });

  test('what is as it was is not written', () => {
    const fields = { services: [service('ntp', ['ens10'])], scopes: [scope()], datastores: [datastore()] };
    const { writes, units } = observe(fields, [...ROWS], new Map());
    expect([writes.services, writes.scopes, writes.legacy, writes.datastores, units]).toEqual([[], [], null, [], []]);
  });
});
