// Discovery, and the network unit on plain data: entries, golden files, rules of the check, impact, plan of the links.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Host, ObservedLink } from '../../../shared/host/host.ts';
import { mergeDiscovered, renameSteps } from '../../../shared/network/discovery.ts';
import type { NetworkInterface } from '../../../shared/network/interface.ts';
import { effectiveManagementListeners } from '../../../shared/network/management-listener.ts';
import { check } from '../../../shared/units/network/check.ts';
import { entries } from '../../../shared/units/network/desired.ts';
import { impact } from '../../../shared/units/network/impact.ts';
import { planLinks } from '../../../shared/units/network/link-plan.ts';
import { render } from '../../../shared/units/network/render.ts';
import type { UnitChange } from '../../../shared/units/unit.ts';
import { access, link, management, row, trunk, vlan } from './rows.ts';

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

const desired = (...interfaces: NetworkInterface[]) => ({ interfaces });
const HOUSE = desired(
  management({ ipv6_enabled: true, ipv6_cidr: 'fd10::2/64', ipv6_gateway: 'fe80::1' }),
  access({ access_management_ui_enabled: true, mtu: 9000 }),
  trunk(),
  vlan(7, { ipv6_enabled: true, ipv6_cidr: 'fd30:7::1/64' }),
  vlan(8, { enabled: false }),
  row('ens40', { ipv4_cidr: '10.40.0.1/24' }),
  row('ens50', { role: 'route', enabled: false, ipv4_cidr: '10.50.0.1/24' }),
  row('ens60', { role: 'management', ipv4_method: 'dhcp', ipv6_enabled: true }),
);

/** Set to rewrite the golden files after a change that is meant. */
const REWRITE = process.env.GOLDEN === 'write';
const golden = (name: string) => fileURLToPath(new URL(`../../fixtures/network/${name}`, import.meta.url));

describe('unit', () => {
  test('rendered files and entries are the golden ones', () => {
    const files = render(HOUSE).map((file) => `### ${file.path} ${file.mode.toString(8)}\n${file.content}`);
    const flat = [...entries(HOUSE)].map(([key, value]) => `${key} = ${value}\n`);
    for (const [name, text] of [
      ['networkd.txt', files.join('\n')],
      ['entries.txt', flat.join('')],
    ] as const) {
      if (REWRITE) writeFileSync(golden(name), text);
      expect(text).toBe(readFileSync(golden(name), 'utf8'));
    }
  });

  const host = (codes: Record<string, number>, links: ObservedLink[] = [], enforces = true) =>
    ({
      enforces,
      links: async () => links,
      exec: async (program: string) => ({ code: codes[program] ?? 0, stdout: '', stderr: '' }),
    }) as unknown as Host;
  const without8021q = { test: 1, modprobe: 1 };

  test.each([
    ['a sound network', HOUSE, host({}), []],
    ['no effective listener', desired(access()), host({}), [/No effective management UI listener/]],
    [
      'a parent that is no trunk',
      desired(management(), row('ens30'), vlan(7)),
      host({}),
      [/^ens30.7: its parent is not a trunk/],
    ],
    [
      'two interfaces in one network',
      desired(management(), access({ ipv4_cidr: '192.168.10.9/24' })),
      host({}),
      [/ens10: .*overlap/, /ens20: .*overlap/],
    ],
    [
      'a kernel without 802.1Q',
      desired(management(), trunk(), vlan(7)),
      host(without8021q),
      [/no 802.1Q support.*ens30.7/],
    ],
    [
      'a VLAN link that exists already',
      desired(management(), trunk(), vlan(7)),
      host(without8021q, [link('a.1', { vlan: { parent: 'a', id: 1 } })]),
      [],
    ],
    ['a rehearsal, which makes no VLAN', desired(management(), trunk(), vlan(7)), host(without8021q, [], false), []],
  ])('check: %s', async (_name, state, on, faults) => {
    const result = await check(on, state);
    expect(result).toMatchObject({
      ok: faults.length === 0,
      faults: faults.map((text) => expect.stringMatching(text)),
    });
  });

  const change = (before: NetworkInterface[] | null, ...after: NetworkInterface[]): UnitChange => ({
    before: before && entries(desired(...before)),
    after: entries(desired(...after)),
    written: [],
    removed: [],
  });

  test.each([
    ['nothing', change([management()], management()), 'low', 'none', []],
    ['the first apply', change(null, management()), 'medium', 'none', [/^ens10 is configured: role management/]],
    [
      'the management address',
      change([management()], management({ ipv4_cidr: '192.168.10.3/24' })),
      'high',
      /management UI/,
      [/IPv4 192.168.10.2\/24 → 192.168.10.3\/24/],
    ],
    [
      'the management gateway',
      change([management()], management({ ipv4_gateway: '' })),
      'high',
      'none',
      [/IPv4 gateway 192.168.10.1 is removed/],
    ],
    [
      'an access address',
      change([access()], access({ ipv4_cidr: '10.0.0.2/24' })),
      'medium',
      /ens20/,
      [/^ens20 changes/],
    ],
    ['a disabled interface', change([access()], access({ enabled: false })), 'medium', /ens20/, ['ens20 is disabled.']],
    [
      'an interface no longer used',
      change([access()], access({ role: 'unused' })),
      'medium',
      /ens20/,
      [/no longer configured/],
    ],
    [
      'a flag',
      change([access()], access({ access_management_ui_enabled: true })),
      'low',
      'none',
      [/management UI exposed/],
    ],
  ])('impact of %s', (_name, made, risk, interruption, says) => {
    const result = impact(made);
    expect(result).toMatchObject({ risk, says: says.map((text) => expect.stringMatching(text as string)) });
    expect(result.interruption).toEqual(expect.stringMatching(interruption as string));
  });
});

describe('plan of the links', () => {
  const lines = (after: NetworkInterface[], before: NetworkInterface[] | null, links: ObservedLink[]) =>
    planLinks(desired(...after), before && entries(desired(...before)), links, []).flatMap((batch) => batch.lines);
  const plain = { ipv4_gateway: '' };

  test('a new address comes before the removal of the old one, and is restored after it', () => {
    const live = link('ens10', { ipv4_cidrs: ['192.168.10.2/24', '192.168.10.77/24'] });
    expect(lines([management({ ...plain, ipv4_cidr: '192.168.10.3/24' })], [management(plain)], [live])).toEqual([
      'link set dev ens10 up',
      'addr replace 192.168.10.3/24 dev ens10',
      'addr del 192.168.10.2/24 dev ens10',
      'addr replace 192.168.10.77/24 dev ens10',
      'addr replace 192.168.10.3/24 dev ens10',
    ]);
  });

  test('a foreign address stays', () => {
    const live = link('ens10', { ipv4_cidrs: ['172.16.5.5/16', '192.168.10.2/24'] });
    expect(lines([management(plain)], null, [live])).toEqual(['link set dev ens10 up']);
  });

  test('a changed prefix of an IPv6 address removes it first', () => {
    const live = link('ens20', { ipv4_cidrs: ['10.0.0.1/24'], ipv6_cidrs: ['fd00::1/64'] });
    expect(lines([access({ ipv6_enabled: true, ipv6_cidr: 'fd00::1/56' })], [access()], [live])).toEqual([
      'link set dev ens20 up',
      'addr del fd00::1/64 dev ens20',
      'addr replace fd00::1/56 dev ens20 nodad',
    ]);
  });

  test('VLAN links are made and deleted, disabled links go down, absent ones are left out', () => {
    expect(lines([trunk(), vlan(7)], null, [link('ens30')])).toEqual([
      'link set dev ens30 up',
      'link add link ens30 name ens30.7 type vlan id 7',
      'link set dev ens30.7 mtu 1500',
      'link set dev ens30.7 up',
      'addr replace 10.30.7.1/24 dev ens30.7',
    ]);
    const vlanLink = link('ens30.7', { vlan: { parent: 'ens30', id: 7 } });
    expect(lines([trunk()], [trunk(), vlan(7)], [link('ens30'), vlanLink])).toContain('link delete dev ens30.7');
    const live = link('ens20', { ipv4_cidrs: ['10.0.0.1/24'] });
    expect(lines([access({ enabled: false })], [access()], [live])).toEqual([
      'addr del 10.0.0.1/24 dev ens20',
      'link set dev ens20 down',
    ]);
    expect(lines([access({ present: false })], null, [])).toEqual([]);
  });

  test('default routes: management first, stale ones of ours removed', () => {
    const stale = [{ dev: 'ens20', gateway: '10.0.0.254', metric: 100 }];
    const batches = planLinks(desired(access({ ipv4_gateway: '10.0.0.254' }), management()), null, [], stale);
    expect(batches.at(-1)).toEqual({
      subject: 'routes',
      lines: [
        'route replace 0.0.0.0/0 via 192.168.10.1 dev ens10 proto 71 metric 100 onlink',
        'route replace 0.0.0.0/0 via 10.0.0.254 dev ens20 proto 71 metric 101 onlink',
        'route del 0.0.0.0/0 via 10.0.0.254 dev ens20 proto 71 metric 100',
      ],
    });
  });
});
