// Discovery: which rows are made, renamed and kept of the links that a host has.

import { describe, expect, test } from '@jest/globals';
import { mergeDiscovered, renameSteps } from '../../../../shared/platform/interfaces/discovery.ts';
import { effectiveManagementListeners } from '../../../../shared/platform/interfaces/management-listener.ts';
import { access, link, management, row, trunk, vlan } from '../interfaces/rows.ts';

const NOW = '2026-01-02T00:00:00.000Z';

describe('discovery', () => {
  test('the first link with a global address becomes management', () => {
    const links = [
      link('ens1'),
      link('ens2', { ipv4_cidrs: ['10.1.1.5/24'], ipv6_cidrs: ['fd00::5/64'] }),
      link('ens3', { ipv4_cidrs: ['10.2.2.5/24'], link: 'down' }),
    ];
    const { upserts, renames } = mergeDiscovered([], links, NOW);
    expect(renames).toEqual([]);
    expect(upserts.map(({ role, enabled }) => [role, enabled])).toEqual([
      ['unused', true],
      ['management', true],
      ['unused', false],
    ]);
    expect(upserts[1]).toMatchObject({ ipv4_cidr: '10.1.1.5/24', ipv6_cidr: 'fd00::5/64', ipv6_enabled: true });
    expect(effectiveManagementListeners(upserts)).toHaveLength(2);
    expect(mergeDiscovered(upserts, links, NOW).upserts).toEqual([]);
  });

  test('a later link is added as unused', () => {
    const { upserts } = mergeDiscovered(
      [row('ens1')],
      [link('ens1'), link('ens2', { ipv4_cidrs: ['10.1.1.5/24'] })],
      NOW,
    );
    expect(upserts.find(({ name }) => name === 'ens2')).toMatchObject({ role: 'unused', ipv4_cidr: '' });
  });

  test('a renamed link keeps its row, settings and VLANs', () => {
    const found = mergeDiscovered([trunk(), vlan(7)], [link('enp3', { mac_address: '00:50:56:00:00:30' })], NOW);
    expect(found.renames).toEqual([
      { from: 'ens30', to: 'enp3' },
      { from: 'ens30.7', to: 'enp3.7' },
    ]);
    expect(found.upserts).toMatchObject([
      { name: 'enp3', id: 'enp3', mode: 'trunk' },
      { name: 'enp3.7', id: 'vlan_7', parent_interface: 'enp3', present: true },
    ]);
  });

  test('two links that swap names swap their rows', () => {
    const links = [
      link('ens20', { mac_address: management().mac_address }),
      link('ens10', { mac_address: access().mac_address }),
    ];
    const { renames, upserts } = mergeDiscovered([management(), access()], links, NOW);
    expect(upserts.map(({ name, role }) => [name, role])).toEqual([
      ['ens20', 'management'],
      ['ens10', 'access'],
    ]);
    const names = new Set(['ens10', 'ens20']);
    for (const { from, to } of renameSteps(renames)) {
      expect(names.delete(from)).toBe(true);
      expect(names.has(to)).toBe(false);
      names.add(to);
    }
    expect([...names].sort()).toEqual(['ens10', 'ens20']);
  });

  test('a vanished link stays as not present, with its VLANs; nothing else changes', () => {
    const { upserts } = mergeDiscovered([management(), trunk(), vlan(7)], [link('ens10')], NOW);
    expect(upserts.map(({ name, present, ipv4_cidr }) => [name, present, ipv4_cidr])).toEqual([
      ['ens30', false, ''],
      ['ens30.7', false, '10.30.7.1/24'],
    ]);
  });

  test('an adapter replaced in the same slot takes the row over', () => {
    const { upserts } = mergeDiscovered([management()], [link('ens10', { mac_address: '00:50:56:99:99:99' })], NOW);
    expect(upserts).toMatchObject([{ name: 'ens10', role: 'management', mac_address: '00:50:56:99:99:99' }]);
  });

  test('a vanished row steps aside for a link that now bears its name', () => {
    const { upserts } = mergeDiscovered(
      [management(), access()],
      [link('ens10', { mac_address: access().mac_address })],
      NOW,
    );
    expect(upserts.map(({ name, role, present }) => [name, role, present])).toEqual([
      ['ens10', 'access', true],
      ['ens10-absent', 'management', false],
    ]);
  });
});
