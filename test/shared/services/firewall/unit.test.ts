// The firewall unit on plain data: golden files, what operators may type, who is let in by whom, and who would be shut
// out. Random saved states are in test/fuzz/firewall.test.ts.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { surroundingsOf } from '../../../../shared/appliance/surroundings.ts';
import { parseAddress } from '../../../../shared/ground/addresses/address.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import { ANY_NETWORK, type Snapshot } from '../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { differences } from '../../../../shared/services/firewall/activate.ts';
import type { FirewallDesired } from '../../../../shared/services/firewall/desired.ts';
import { evaluate, type Packet } from '../../../../shared/services/firewall/evaluate.ts';
import { facts } from '../../../../shared/services/firewall/facts.ts';
import { impact } from '../../../../shared/services/firewall/impact.ts';
import { lockoutFaults } from '../../../../shared/services/firewall/lockout.ts';
import { networksOf } from '../../../../shared/services/firewall/networks.ts';
import { type Opening, openingsOf } from '../../../../shared/services/firewall/openings.ts';
import { parsePorts, portsText } from '../../../../shared/services/firewall/port-ranges.ts';
import { content, render } from '../../../../shared/services/firewall/render.ts';
import { ruleSet } from '../../../../shared/services/firewall/rule-set.ts';
import { canonicalRule, type FirewallRule } from '../../../../shared/services/firewall/rules.ts';
import { firewallUnit } from '../../../../shared/services/firewall/unit.ts';
import { anyDesired, BLANK, desired, FULL, rule, UI } from '../../../fixtures/firewall/desired.ts';
import { said } from '../../../setup/said.ts';
import { datastore, scope, snapshot } from '../../platform/interfaces/refresh/rows.ts';
import { access, management } from '../../platform/interfaces/rows.ts';

const golden = (name: string) => fileURLToPath(new URL(`../../../fixtures/firewall/${name}`, import.meta.url));
const off = desired({ settings: { ...FULL.settings, enabled: false } });

describe('what is rendered', () => {
  test.each<[string, () => string]>([
    ['groundcrew.nft', () => content(ruleSet(FULL))],
    ['least.nft', () => content(ruleSet(desired({ openings: [] })))],
    ['entries.txt', () => [...said(firewallUnit, facts(FULL))].map(([key, value]) => `${key} = ${value}\n`).join('')],
  ])('%s', (name, made) => {
    const text = made();
    if (process.env.GOLDEN === 'write') writeFileSync(golden(name), text);
    expect(text).toBe(readFileSync(golden(name), 'utf8'));
  });

  test('off: no file, and one word', () => {
    expect(render(off)).toEqual([]);
    expect([...said(firewallUnit, facts(off))]).toEqual([['firewall', 'off']]);
    expect(differences(off, null)).toEqual([]);
    expect(differences(desired(), null)).toEqual(['the table is not loaded']);
  });

  test('keys are unique in their chain, and no comment is too long for the kernel', () => {
    fc.assert(
      fc.property(anyDesired, (made) => {
        const rules = ruleSet(made);
        expect(new Set(rules.map(({ chain, key }) => `${chain} ${key}`)).size).toBe(rules.length);
        for (const { key } of rules) expect(key).toMatch(/^[\w .-]{1,128}$/);
        // No name of an operator leaves its comment line.
        expect(
          content(rules)
            .split('\n')
            .filter((line) => /^\s*(?!#)/.test(line) && line.includes('comment')).length,
        ).toBe(rules.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('whom the name service is open to', () => {
  const rows = [
    management({
      ipv4_method: 'dhcp',
      observed: { ipv4_cidrs: ['10.7.0.9/24'], ipv6_cidrs: [], mtu: 1500, link: 'up' },
    }),
    access({ ipv4_cidr: '10.20.0.1/24', ipv6_enabled: true, ipv6_cidr: 'fd20::1/64' }),
    access({ id: 'r', name: 'ens40', role: 'route', ipv4_cidr: '10.40.0.1/24' }),
    access({ id: 'off', name: 'ens50', enabled: false, ipv4_cidr: '10.50.0.1/24' }),
    access({ id: 'unused', name: 'ens60', role: 'unused', ipv4_cidr: '10.60.0.1/24' }),
  ];
  const OWN4 = ['10.20.0.0/24', '10.40.0.0/24', '10.7.0.0/24'];
  const OWN6 = ['fd20::/64', 'fe80::/10'];
  const sources = (allowed_clients: string[], more: Partial<Snapshot> = {}, all = rows) => {
    const dns = {
      key: 'dns-dhcp',
      document: { enabled: true, listen_interfaces: ['ens20'], listen_addresses: [], allowed_clients },
    };
    const made = openingsOf({
      snapshot: snapshot({ ...more, services: [dns, ...(more.services ?? [])] }),
      interfaces: all,
      settings: { management_networks: [] },
      surroundings: surroundingsOf({ management_port: 0, public_listen: null }),
    });
    return made.filter(({ key }) => key === 'dns-dhcp').map((each) => [each.family, each.sources]);
  };
  test('a datastore is open to the clients that it names, to everybody for any, and else to nobody', () => {
    const storage = { key: 'storage', document: { enabled: true, listen_interfaces: [], listen_addresses: [] } };
    const opened = (clients: string[]) => {
      const surroundings = surroundingsOf({ management_port: 0, public_listen: null });
      const made = openingsOf({
        snapshot: snapshot({
          services: [storage],
          datastores: [datastore({ clients, address_families: ['ipv4', 'ipv6'] })],
        }),
        interfaces: rows,
        settings: { management_networks: [] },
        surroundings: { ...surroundings, enforced: new Set([...surroundings.enforced, 'storage']) },
      });
      return made.filter(({ key }) => key.startsWith('storage')).map(({ family, sources }) => [family, sources]);
    };
    expect(opened([])).toEqual([]);
    expect(opened(['10.20.0.0/24'])).toEqual([[4, ['10.20.0.0/24']]]);
    expect(opened([ANY_NETWORK.ipv4, ANY_NETWORK.ipv6])).toEqual([
      [4, []],
      [6, []],
    ]);
  });

  const DHCP_ON = { key: 'dhcp', document: { enabled: true, listen_interfaces: [], listen_addresses: [] } };
  test.each<[string, string[], unknown]>([
    [
      'the own networks, where nobody is named',
      [],
      [
        [4, OWN4],
        [6, OWN6],
      ],
    ],
    ['those that are named, and no other', ['10.99.0.0/16'], [[4, ['10.99.0.0/16']]]],
    [
      'both',
      ['10.99.0.0/16', 'localnets'],
      [
        [4, ['10.99.0.0/16', ...OWN4]],
        [6, OWN6],
      ],
    ],
    ['everybody, where that is said', ['any', '10.99.0.0/16'], [[null, []]]],
  ])('%s', (_name, named, expected) => {
    expect(sources(named)).toEqual(expected);
  });
  test('a subnet that DHCP serves is an own one, too', () => {
    const scopes = [
      scope({ interface: 'ens20', subnet_cidr: '10.20.0.0/22' }),
      scope({ id: 'b', enabled: false, subnet_cidr: '10.3.0.0/24' }),
    ];
    expect(sources([], { scopes, services: [DHCP_ON] })[0]).toEqual([
      4,
      ['10.20.0.0/22', '10.40.0.0/24', '10.7.0.0/24'],
    ]);
    expect(sources([], { scopes })[0]).toEqual([4, OWN4]);
  });
  test('nobody, while no own network is known', () => {
    const unknown = access({ ipv4_method: 'dhcp', ipv4_cidr: '', observed: null });
    expect(sources([], {}, [unknown])).toEqual([]);
  });
});

describe('ports', () => {
  test.each<[string, string | null]>([
    ['', ''],
    ['22', '22'],
    [' 443, 80 ', '80,443'],
    ['8000-8100 22', '22,8000-8100'],
    ['22,23,24', '22-24'],
    ['1-65535, 5', '1-65535'],
    ['5-5', '5'],
    ['22-20', null],
    ['0', null],
    ['65536', null],
    ['ssh', null],
    ['22--23', null],
    ['-5', null],
    ['1e3', null],
    ['22;drop', null],
  ])('%j is %j', (typed, stored) => {
    const ranges = parsePorts(typed);
    expect(ranges && portsText(ranges)).toBe(stored);
  });
});

test('a network inside another of the list is not said twice', () => {
  expect(networksOf(['10.1.0.0/16', '10.0.0.0/8', '10.0.0.0/8', '192.0.2.1/32', 'fd00::/8'], 4)).toEqual([
    '10.0.0.0/8',
    '192.0.2.1',
  ]);
});

describe('a rule', () => {
  const refused: [string, Partial<FirewallRule>, string][] = [
    ['no name', { name: ' ' }, '/name'],
    ['another action', { action: 'allow' as never }, '/action'],
    ['another direction', { direction: 'output' as never }, '/direction'],
    ['another protocol', { protocol: 'sctp' as never }, '/protocol'],
    ['host bits', { source_cidr: '10.0.0.5/24' }, '/source_cidr'],
    ['a prefix that is too long', { source_cidr: '10.0.0.0/33' }, '/source_cidr'],
    ['everybody as a network', { destination_cidr: '0.0.0.0/0' }, '/destination_cidr'],
    ['a name as an address', { destination_cidr: 'vc01.lab.example' }, '/destination_cidr'],
    ['two families', { source_cidr: '10.0.0.0/8', destination_cidr: 'fd00::/64' }, '/destination_cidr'],
    ['ports of any protocol', { ports: '22' }, '/ports'],
    ['ports of ICMP', { protocol: 'icmp', ports: '22' }, '/ports'],
    ['a range that runs backwards', { protocol: 'tcp', ports: '22-20' }, '/ports'],
    ['too many ports', { protocol: 'tcp', ports: Array.from({ length: 33 }, (_, n) => 2 * n + 1).join() }, '/ports'],
  ];
  test.each(refused)('is refused with %s', (_what, fields, pointer) => {
    const error = (() => {
      try {
        return canonicalRule({ ...BLANK, ...fields });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).members.errors?.map((each) => each.pointer)).toEqual([pointer]);
  });

  test('is stored in canonical form', () => {
    const typed = { action: ' Drop ' as never, protocol: 'TCP' as never, source_cidr: ' FD00::0001 ', ports: '80 22' };
    expect(canonicalRule({ ...BLANK, ...typed })).toMatchObject({
      action: 'drop',
      protocol: 'tcp',
      source_cidr: 'fd00::1/128',
      ports: '22,80',
    });
  });
});

const address = (text: string) => parseAddress(text)!;
const packet = (fields: Partial<Omit<Packet, 'source' | 'destination'>> & { from?: string; to?: string }): Packet => {
  const { from = '10.10.0.9', to = from.includes(':') ? 'fd00::5' : '10.10.0.5', ...rest } = fields;
  const shape = { chain: 'input', iifname: 'ens192', state: 'new', protocol: 'tcp', port: 8080 } as const;
  return { ...shape, ...rest, source: address(from), destination: address(to) };
};
const verdict = (made: FirewallDesired, fields: Parameters<typeof packet>[0]) =>
  evaluate(ruleSet(made), packet(fields)).verdict;

describe('whatever the rules are', () => {
  const DROP_ALL = desired({ openings: [], rules: [rule('all', { action: 'drop' })] });
  test.each<[string, Parameters<typeof packet>[0], string]>([
    ['a connection that exists goes on', { state: 'established' }, 'accept'],
    [
      'an error about one comes in',
      { state: 'related', protocol: 'icmp', icmp_type: 'destination-unreachable' },
      'accept',
    ],
    ['the appliance talks to itself', { iifname: 'lo', from: '127.0.0.1' }, 'accept'],
    [
      'IPv6 neighbours are found',
      { protocol: 'icmpv6', icmp_type: 'nd-neighbor-solicit', from: 'fe80::1', to: 'ff02::1' },
      'accept',
    ],
    ['IPv6 packets may be too big', { protocol: 'icmpv6', icmp_type: 'packet-too-big', from: 'fd00::9' }, 'accept'],
    ['IPv4 packets may need to be cut', { protocol: 'icmp', icmp_type: 'destination-unreachable' }, 'accept'],
    ['an echo request is refused by the rule', { protocol: 'icmp', icmp_type: 'echo-request' }, 'drop'],
    ['anything else is', {}, 'drop'],
  ])('%s', (_what, fields, says) => {
    expect(verdict(DROP_ALL, fields)).toBe(says);
  });

  test('nothing is passed on but between interfaces with the role route', () => {
    const names = ['ens192', 'ens224', 'ens256.20', 'a-b_c.d', 'other'];
    fc.assert(
      fc.property(anyDesired, fc.constantFrom(...names), fc.constantFrom(...names), (made, iifname, oifname) => {
        const said = verdict(made, { chain: 'forward', iifname, oifname, from: '10.10.0.9', to: '10.99.0.1' });
        if (!made.routes.includes(iifname) || !made.routes.includes(oifname)) expect(said).toBe('drop');
      }),
      { numRuns: 500 },
    );
  });

  test('between those it is, unless a rule refuses', () => {
    const routed = { chain: 'forward', iifname: 'ens256.20', oifname: 'ens256.30', from: '172.16.20.9' } as const;
    expect(verdict(FULL, { ...routed, to: '172.16.31.1' })).toBe('accept');
    expect(verdict(FULL, { ...routed, to: '172.16.30.1' })).toBe('drop');
  });
});

test('the first rule of the operator that fits decides, before services', () => {
  const rules = [
    rule('one', { source_cidr: '10.10.0.9', protocol: 'tcp', ports: '8080', action: 'accept' }),
    rule('two', { source_cidr: '10.10.0.0/24', action: 'reject', log: true }),
  ];
  const made = desired({ rules });
  expect(verdict(made, {})).toBe('accept');
  expect(verdict(made, { port: 22 })).toBe('reject');
  expect(verdict(made, { from: '10.10.0.8' })).toBe('reject');
  expect(verdict(made, { from: '10.11.0.8' })).toBe('accept');
  expect(verdict(made, { from: '10.11.0.8', iifname: 'ens224' })).toBe('drop');
});

describe('an apply that would shut people out of the management UI is refused:', () => {
  const only = (...networks: string[]) => [UI({ family: 4, sources: networks })];
  const both = [
    { interface: 'ens192', address: '10.10.0.5' },
    { interface: 'ens224', address: 'fd00:20::5' },
  ];
  test.each<[string, Partial<FirewallDesired>, RegExp | null]>([
    ['nothing refuses', {}, null],
    ['a rule drops everything', { rules: [rule('all', { action: 'drop' })] }, /from anywhere: the rule all would/],
    [
      'a rule drops the port',
      { rules: [rule('p', { action: 'reject', protocol: 'tcp', ports: '8000-9000' })] },
      /from anywhere: the rule p/,
    ],
    ['a rule drops another port', { rules: [rule('p', { action: 'drop', protocol: 'tcp', ports: '22' })] }, null],
    ['a rule that is passed on', { rules: [rule('f', { action: 'drop', direction: 'forward' })] }, null],
    [
      'all of the address space in two halves',
      {
        rules: [
          rule('a', { action: 'drop', source_cidr: '0.0.0.0/1' }),
          rule('b', { action: 'drop', source_cidr: '128.0.0.0/1' }),
        ],
      },
      /from anywhere: the rule a and 1 more/,
    ],
    [
      'all but one address',
      {
        rules: [rule('me', { source_cidr: '10.10.0.9' }), rule('rest', { action: 'drop' })],
      },
      null,
    ],
    [
      'all but an address that nobody has',
      {
        rules: [rule('me', { source_cidr: '127.0.0.1' }), rule('rest', { action: 'drop' })],
      },
      /from anywhere/,
    ],
    [
      'all at one interface of two',
      {
        rules: [rule('one', { action: 'drop', interface: 'ens192' })],
        listeners: both,
        openings: [UI({ interfaces: ['ens192', 'ens224'] })],
      },
      null,
    ],
    [
      'all at both interfaces',
      {
        rules: [
          rule('one', { action: 'drop', interface: 'ens192' }),
          rule('two', { action: 'drop', interface: 'ens224' }),
        ],
        listeners: both,
        openings: [UI({ interfaces: ['ens192', 'ens224'] })],
      },
      /from anywhere: the rule (one|two) and 1 more/,
    ],
    [
      'the one who asks',
      { operator: '10.10.0.9', rules: [rule('me', { action: 'drop', source_cidr: '10.10.0.0/28' })] },
      /You could not reach .* from 10\.10\.0\.9: the rule me/,
    ],
    [
      'a neighbour of the one who asks',
      { operator: '10.10.0.99', rules: [rule('me', { action: 'drop', source_cidr: '10.10.0.0/28' })] },
      null,
    ],
    [
      'networks without the one who asks',
      { operator: '10.10.0.9', openings: only('10.20.0.0/16') },
      /networks that may reach the management UI leave it out/,
    ],
    ['networks with the one who asks', { operator: '10.10.0.9', openings: only('10.10.0.0/24') }, null],
    ['the one who asks is on the machine itself', { operator: '127.0.0.1', openings: only('10.20.0.0/16') }, null],
    ['the one who asks came by another family', { operator: 'fd00::9', openings: only('10.20.0.0/16') }, null],
    ['the port is not known', { management_port: 0 }, /no fixed port/],
    ['the firewall is off', { settings: off.settings, rules: [rule('all', { action: 'drop' })] }, null],
  ])('%s', (_what, fields, fault) => {
    const faults = lockoutFaults(desired(fields));
    if (fault === null) expect(faults).toEqual([]);
    else expect(faults).toEqual([expect.stringMatching(fault)]);
  });
});

describe('what a change means', () => {
  const change = (before: FirewallDesired | null, after: FirewallDesired) =>
    impact({ before: before && facts(before), after: facts(after), written: [], removed: [] });
  const MANY = Array.from({ length: 9 }, (_, n) => `10.${n}.0.0/24`);
  const DNS = (fields: Partial<Opening> = {}): Opening => ({
    ...{ key: 'dns-dhcp', label: 'DNS', why: '', interfaces: ['lab0'], protocol: 'udp', ports: [53] },
    ...{ family: null, sources: [], ...fields },
  });
  test.each<[string, FirewallDesired | null, FirewallDesired, string, RegExp]>([
    ['switched on', null, desired(), 'medium', /switched on: 1 port of a service stays open.*SSH/],
    ['switched off', desired(), off, 'medium', /is off/],
    ['never on', null, off, 'low', /is off/],
    [
      'narrower management',
      desired(),
      desired({ openings: [UI({ family: 4, sources: ['10.0.0.0/8'] })] }),
      'high',
      /management UI.*is open for IPv4 on ens192 from 10.0.0.0\/8 instead of on ens192\./,
    ],
    [
      'a service that strangers reached, and now many networks',
      desired({ openings: [DNS()] }),
      desired({ openings: [DNS({ family: 4, sources: MANY }), DNS({ family: 6, sources: ['fd00::/64'] })] }),
      'medium',
      /DNS udp 53 is open for IPv4 on lab0 from (?:10\.\d\.0\.0\/24(?:, )?){6} and 3 more networks, for IPv6 on lab0 from fd00::\/64 instead of on lab0\./,
    ],
    ['a service less', FULL, { ...FULL, openings: FULL.openings.slice(0, -1) }, 'medium', /Datastore.*is closed/],
    [
      'a service more',
      { ...FULL, openings: FULL.openings.slice(0, -1) },
      FULL,
      'low',
      /Datastore.*is opened on ens192/,
    ],
    [
      'a rule that refuses',
      desired(),
      desired({ rules: [rule('x', { action: 'drop' })] }),
      'medium',
      /Rule x is added: 1\. drop everything/,
    ],
    ['a rule that accepts', desired(), desired({ rules: [rule('x', {})] }), 'low', /Rule x is added/],
  ])('%s', (_what, before, after, risk, says) => {
    const meant = change(before, after);
    expect(meant.risk).toBe(risk);
    expect(meant.says.join(' ')).toMatch(says);
    expect(meant.interruption).toMatch(/^none/);
  });
});
