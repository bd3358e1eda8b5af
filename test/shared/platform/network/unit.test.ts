// The network unit on plain data: entries, golden files, rules of the check, impact, what the kernel has.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Host, ObservedLink } from '../../../../shared/ground/machine/host.ts';
import type { NetworkInterface } from '../../../../shared/platform/interfaces/interface.ts';
import { adoptionLines } from '../../../../shared/platform/network/adoption.ts';
import { check } from '../../../../shared/platform/network/check.ts';
import { facts } from '../../../../shared/platform/network/facts.ts';
import { impact } from '../../../../shared/platform/network/impact.ts';
import { compareKernel, type Kernel, leftovers } from '../../../../shared/platform/network/kernel.ts';
import { parseFaults } from '../../../../shared/platform/network/reading.ts';
import { render } from '../../../../shared/platform/network/render.ts';
import { networkUnit } from '../../../../shared/platform/network/unit.ts';
import type { UnitChange } from '../../../../shared/platform/units/unit.ts';
import { said } from '../../../setup/said.ts';
import { access, link, management, row, trunk, vlan } from '../interfaces/rows.ts';

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
  row('ens70', { role: 'route', ipv4_cidr: '10.70.0.1/24', ipv4_gateway: '10.70.0.254' }),
  // Its link is gone while another one bears the name: no file can name it.
  row('ens80-absent-abcd', { role: 'access', present: false, enabled: false }),
);

/** Set to rewrite the golden files after a change that is meant. */
const REWRITE = process.env.GOLDEN === 'write';
const golden = (name: string) => fileURLToPath(new URL(`../../../fixtures/network/${name}`, import.meta.url));

describe('unit', () => {
  test('rendered files and facts in words are the golden ones', () => {
    const files = render(HOUSE).map((file) => `### ${file.path} ${file.mode.toString(8)}\n${file.content}`);
    const flat = [...said(networkUnit, facts(HOUSE))].map(([key, value]) => `${key} = ${value}\n`);
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
      exec: async (program: string) => ({ code: codes[program] ?? 0, stdout: SAID[program] ?? '', stderr: '' }),
    }) as unknown as Host;
  const SAID: Record<string, string> = { unshare: 'Enumeration completed\n' };
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
    const result = await check(on, state, (path) => `/staged${path}`);
    expect(result).toMatchObject({
      ok: faults.length === 0,
      faults: faults.map((text) => expect.stringMatching(text)),
    });
  });

  const change = (before: NetworkInterface[] | null, ...after: NetworkInterface[]): UnitChange => ({
    before: before && facts(desired(...before)),
    after: facts(desired(...after)),
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

describe('reading of the files by networkd', () => {
  const answers = (code: number, stdout: string, stderr = '', enforces = true) =>
    ({ enforces, links: async () => [], exec: async () => ({ code, stdout, stderr }) }) as unknown as Host;
  const network = desired(management());
  const asked = (on: Host) => check(on, network, (path) => `/staged${path}`);

  test.each([
    ['it reads them', answers(0, 'Enumeration completed\n'), 'systemd-networkd and groundcrew network rules'],
    [
      'it is not there in a rehearsal',
      answers(127, '', 'systemd-networkd is not installed here\n', false),
      'groundcrew network rules only: systemd-networkd is not installed here',
    ],
    [
      'nobody may make namespaces in a rehearsal',
      answers(1, '', 'unshare: unshare failed: Operation not permitted\n', false),
      /^groundcrew network rules only: .*\(unshare: unshare failed: Operation not permitted\)$/,
    ],
  ])('%s', async (_name, on, program) => {
    expect(await asked(on)).toMatchObject({ ok: true, faults: [], program: expect.stringMatching(program) });
  });

  test.each([
    [
      'it is not there',
      answers(127, '', 'systemd-networkd is not installed here\n'),
      /^systemd-networkd is not installed here\.$/,
    ],
    [
      'nobody may make namespaces',
      answers(1, '', 'unshare: unshare failed: Operation not permitted\n'),
      /could not read the files here \(unshare: unshare failed: Operation not permitted\)\.$/,
    ],
    ['it takes too long', answers(124, '', ''), /could not read the files here \(it did not end within 20 s\)\.$/],
  ])('where links are configured, no plan passes without it: %s', async (_name, on, fault) => {
    expect(await asked(on)).toMatchObject({
      ok: false,
      faults: [expect.stringMatching(fault)],
      program: expect.stringMatching(/^groundcrew network rules only: /),
    });
  });

  test('its complaints are faults, by the path on the appliance', () => {
    const log = [
      'lo: Link UP',
      '/run/systemd/network/40-groundcrew-a.network:5: Unknown key ‘X’, ignoring.',
      '/run/systemd/network/40-groundcrew-a.network: Gateway= without static address configured. Enabling GatewayOnLink= option.',
      'a.9: VLAN without valid Id (65535) configured in /run/systemd/network/40-groundcrew-a.9.netdev.',
    ];
    expect(parseFaults(log.join('\n'))).toEqual([
      '/etc/systemd/network/40-groundcrew-a.network:5: Unknown key ‘X’, ignoring.',
      'a.9: VLAN without valid Id (65535) configured in /etc/systemd/network/40-groundcrew-a.9.netdev.',
    ]);
  });

  test.each(['a*', '12', 'all', 'n%d', '!n'])('a link called %s is refused', async (name) => {
    const result = await check(answers(0, 'Enumeration completed\n'), desired(management({ name })), (path) => path);
    expect(result.faults).toEqual([expect.stringContaining('does not accept this name')]);
  });
});

describe('what the kernel has', () => {
  const kernel = (links: ObservedLink[], gateways: Kernel['gateways'] = [], up = links.map(({ name }) => name)) => ({
    links,
    gateways,
    up: new Set(up),
  });
  const ens10 = link('ens10', { ipv4_cidrs: ['192.168.10.2/24'] });
  const routed = [{ dev: 'ens10', gateway: '192.168.10.1' }];
  const vlanLink = link('ens30.7', { vlan: { parent: 'ens30', id: 7 }, ipv4_cidrs: ['10.30.7.1/24'] });

  test.each<[string, NetworkInterface[], Kernel, string[]]>([
    ['all is well', [management()], kernel([ens10], routed), []],
    [
      'a foreign address is no difference',
      [access()],
      kernel([link('ens20', { ipv4_cidrs: ['10.0.0.1/24', '10.9.9.9/24'] })]),
      [],
    ],
    ['no link', [access()], kernel([]), ['ens20 is not there']],
    ['a link that is known to be gone', [access({ present: false })], kernel([]), []],
    [
      'state, address, MTU and route',
      [management()],
      kernel([link('ens10', { mtu: 1400 })], [{ dev: 'ens20', gateway: '192.168.10.1' }], []),
      [
        'ens10 is down',
        'ens10 lacks 192.168.10.2/24',
        'ens10 has MTU 1400 instead of 1500',
        'ens10 lacks the default route via 192.168.10.1',
      ],
    ],
    [
      'a default route more',
      [management()],
      kernel([ens10], [...routed, { dev: 'ens10', gateway: '192.168.10.9' }]),
      ['ens10 has a default route via 192.168.10.9 that was not applied'],
    ],
    [
      'default routes that were learnt',
      [management({ ipv4_method: 'dhcp', ipv4_cidr: '', ipv4_gateway: '', ipv6_enabled: true })],
      kernel([ens10], [...routed, { dev: 'ens10', gateway: 'fe80::1' }]),
      [],
    ],
    [
      'a trunk with an address',
      [trunk()],
      kernel([link('ens30', { ipv6_cidrs: ['fd00::1/64'] })]),
      ['ens30 has fd00::1/64, though a trunk carries no addresses'],
    ],
    [
      'another VLAN',
      [trunk(), vlan(7)],
      kernel([link('ens30'), { ...vlanLink, vlan: { parent: 'ens31', id: 8 } }]),
      ['ens30.7 is VLAN 8 on ens31 instead of 7 on ens30'],
    ],
    [
      'disabled, and up',
      [access({ enabled: false })],
      kernel([link('ens20')]),
      ['ens20 is up, though it was applied as disabled'],
    ],
  ])('%s', (_name, rows, has, differences) => {
    expect(compareKernel(desired(...rows), has)).toEqual(differences);
  });

  test('what was applied before and is still there', () => {
    const before = facts(desired(management(), access({ ipv6_enabled: true }), trunk(), vlan(7)));
    const after = facts(desired(management({ ipv4_cidr: '192.168.10.3/24' }), trunk()));
    const live = [
      ens10,
      link('ens20', { ipv4_cidrs: ['10.0.0.1/24', '10.9.9.9/24'], ipv6_cidrs: ['fd99::1/64'] }),
      vlanLink,
    ];
    expect(leftovers(before, after, kernel(live))).toEqual([
      'ens10 still has 192.168.10.2/24',
      'ens20 still has 10.0.0.1/24',
      'ens30.7 is still there',
    ]);
    expect(leftovers(null, after, kernel(live))).toEqual([]);
  });

  const info = (fields: object) => [
    { ifname: 'ens20', addr_info: [{ family: 'inet', local: '10.0.0.1', prefixlen: 24, scope: 'global', ...fields }] },
  ];
  test.each<[string, object, string[]]>([
    ['as networkd makes it', { broadcast: '10.0.0.255', label: 'ens20' }, []],
    ['somebody else’s', { local: '10.0.0.2' }, []],
    [
      'without a broadcast address',
      {},
      ['addr del 10.0.0.1/24 dev ens20', 'addr add 10.0.0.1/24 dev ens20 brd + scope global'],
    ],
    [
      'with a label',
      { broadcast: '10.0.0.255', label: 'ens20:1' },
      ['addr del 10.0.0.1/24 dev ens20', 'addr add 10.0.0.1/24 dev ens20 brd + scope global'],
    ],
    [
      'of a DHCP client',
      { broadcast: '10.0.0.255', dynamic: true },
      ['addr change 10.0.0.1/24 dev ens20 valid_lft forever preferred_lft forever'],
    ],
  ])('an address that is taken over: %s', (_name, fields, lines) => {
    expect(adoptionLines([access()], info(fields))).toEqual(lines);
  });
});
