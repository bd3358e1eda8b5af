// What an edit leaves alone: lists of what is off, scopes and datastores that lacked before what they lack after, and rows
// that stay the very ones that they were. And what a refusal says of an interface that is gone.
import { describe, expect, test } from '@jest/globals';
import type { NetworkInterface } from '../../../../../shared/platform/interfaces/interface.ts';
import { changeBetween } from '../../../../../shared/platform/interfaces/refresh/change.ts';
import { upstreamNotes } from '../../../../../shared/platform/interfaces/refresh/listeners.ts';
import { refresh } from '../../../../../shared/platform/interfaces/refresh/refresh.ts';
import { followReserved, followScope } from '../../../../../shared/platform/interfaces/refresh/scopes.ts';
import { LEGACY_SCOPE, NO_GATEWAY } from '../../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { access, management, trunk, vlan } from '../rows.ts';
import {
  DECLARED,
  datastore,
  edited,
  follow,
  movesOf,
  NO_IPV4,
  OFF,
  RENUMBER,
  ROWS,
  refusals,
  scope,
  service,
  snapshot,
} from './rows.ts';

const LEFT = ['10.0.0.0/24'];
const NO_SERVERS = { dns_servers: [], ntp_servers: [] };

describe('lists of what is off make no note', () => {
  test.each([true, false])('clients of a service that is on: %s', (enabled) => {
    const { notes } = follow(RENUMBER, { services: [service('ntp', ['ens10'], { enabled, allowed: LEFT })] });
    expect(notes).toHaveLength(enabled ? 1 : 0);
  });

  test.each([true, false])('clients of a datastore that is on: %s', (enabled) => {
    const { notes } = follow(RENUMBER, { datastores: [datastore({ enabled, clients: LEFT })] });
    expect(notes).toHaveLength(enabled ? 1 : 0);
  });

  test.each([true, false])('upstream servers of a name service that is on: %s', (enabled) => {
    const services = [service('dns-dhcp', ['ens10'], { enabled, upstream_servers: ['10.0.0.53#5353'] })];
    expect(upstreamNotes(services, new Map([['10.0.0.53', '10.9.0.53']]))).toHaveLength(enabled ? 1 : 0);
  });
});

describe('scopes', () => {
  test('that nothing concerns stay the very same', () => {
    const change = changeBetween(ROWS, RENUMBER)!;
    const elsewhere = scope({ interface: 'ens10', subnet_cidr: '192.168.10.0/24', dns_servers: ['8.8.8.8'] });
    const followed = followScope(elsewhere, change);
    expect(followed.scope).toBe(elsewhere);
    expect(followReserved(followed, new Map([['10.0.0.53', '10.9.0.53']])).scope).toBe(elsewhere);
    expect(followReserved(followed, new Map([['8.8.8.8', '10.9.0.53']])).scope.dns_servers).toEqual(['10.9.0.53']);
  });

  test('in the same network keep even ranges that lie outside of it', () => {
    const stray = [{ start: '10.77.0.10', end: '10.77.0.20' }];
    const found = follow(edited('ens20', { ipv4_cidr: '10.0.0.2/24' }), {
      scopes: [scope({ ranges: stray, ...NO_SERVERS })],
    });
    expect(found.blockers).toEqual([]);
    expect(movesOf(found)).toEqual(['gateway 10.0.0.1 → 10.0.0.2']);
  });

  test('that stay say nothing when another one moves onto them', () => {
    const target = { interface: 'ens10', subnet_cidr: '10.9.0.0/24', ranges: [], gateway: NO_GATEWAY, ...NO_SERVERS };
    const standing = scope({ id: 'scope_b', name: 'standing', ...target });
    expect(refusals(follow(RENUMBER, { scopes: [scope(), standing] }))).toEqual([
      'DHCP scope lab: It would move to 10.9.0.0/24 and overlap DHCP scope standing.',
    ]);
  });

  const six = access({ ipv4_cidr: '', ipv6_enabled: true, ipv6_cidr: 'fd20::1/64' });
  const local = access({ ipv4_cidr: '', ipv6_enabled: true, ipv6_cidr: 'fe80::5/64' });
  const v6 = scope({
    address_family: 'ipv6',
    subnet_cidr: 'fe80::/64',
    ranges: [],
    gateway: NO_GATEWAY,
    ...NO_SERVERS,
  });
  test.each<[string, NetworkInterface, Partial<NetworkInterface>, typeof v6]>([
    ['had no network of their family', six, { ipv6_cidr: 'fd21::1/64' }, scope(NO_SERVERS)],
    ['could not be served before', local, { ipv6_enabled: false, ipv6_cidr: '', ipv4_cidr: '10.5.0.1/24' }, v6],
  ])('that %s refuse nothing', (_name, was, fields, row) => {
    const [before, after] = [was, { ...was, ...fields }].map((lab) => [management(), lab]);
    const change = changeBetween(before!, after!)!;
    expect(refresh(snapshot({ scopes: [row] }), change, DECLARED).blockers).toEqual([]);
  });
});

describe('datastores', () => {
  test('that lacked a family before do not refuse what leaves them the other', () => {
    const six = edited('ens20', { ipv6_enabled: false, ipv6_cidr: '' });
    const moved = six.map((row) => (row.name === 'ens20' ? { ...row, ipv4_cidr: '10.9.0.7/24' } : row));
    const both = datastore({ address_families: ['ipv4', 'ipv6'] });
    const found = refresh(snapshot({ datastores: [both] }), changeBetween(six, moved)!, DECLARED);
    expect(found.blockers).toEqual([]);
    expect(movesOf(found)).toEqual(['addresses 10.0.0.1 → 10.9.0.7']);
  });

  test('refuse that their interface is deleted though it carried nothing', () => {
    const found = refresh(
      snapshot({ datastores: [datastore({ addresses: [] })] }),
      changeBetween(
        OFF,
        OFF.filter(({ name }) => name !== 'ens20'),
      )!,
      DECLARED,
    );
    expect(refusals(found)).toEqual(['Datastore iso: It is shared on ens20, which could not carry it any more.']);
  });
});

describe('what is gone is said to be gone', () => {
  const gone = (rows: readonly NetworkInterface[]) =>
    rows.map((row) => (row.name === 'ens20' ? { ...row, present: false } : row));
  const saved = {
    services: [service('ntp', ['ens20'])],
    scopes: [scope(NO_SERVERS)],
    datastores: [datastore()],
  };
  const reasonsOf = (rows: readonly NetworkInterface[], after: readonly NetworkInterface[], fields = saved) =>
    refresh(snapshot(fields), changeBetween(rows, after)!, DECLARED).blockers.map(({ reason }) => reason);
  const without = ROWS.filter(({ name }) => name !== 'ens20');
  const SAYS = / ens20 is no longer in this machine\.$/;

  test.each([
    ['deleted', without],
    ['switched off', gone(OFF)],
    ['left without IPv4', gone(NO_IPV4)],
  ])('by everything that refuses that it is %s', (_name, after) => {
    const reasons = reasonsOf(gone(ROWS), after);
    expect(reasons.length).toBeGreaterThanOrEqual(2);
    for (const reason of reasons) expect(reason).toMatch(SAYS);
  });

  test('by the legacy binding, and not where it is there', () => {
    const legacy = scope({ id: LEGACY_SCOPE, ...NO_SERVERS });
    const fields = { services: [], scopes: [], datastores: [], legacy };
    expect(reasonsOf(gone(ROWS), without, fields)).toEqual([expect.stringMatching(SAYS)]);
    for (const reason of reasonsOf(ROWS, without)) expect(reason).not.toMatch(SAYS);
  });

  test('of a VLAN with the trunk that it stands on', () => {
    const rows = [management(), trunk({ present: false }), vlan(7)];
    const fields = { ...saved, services: [service('ntp', ['ens30.7'])], scopes: [], datastores: [] };
    expect(reasonsOf(rows, rows.slice(0, 2), fields)).toEqual([
      'It listens on ens30.7 only, which would be deleted. ens30.7 stands on ens30, which is no longer in this machine.',
    ]);
  });
});
