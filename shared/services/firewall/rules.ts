// The operator's own rules of the firewall, in the order of matching.

import * as v from 'valibot';
import { networkOf, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import { component, described, idSchema, integerSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { interfaceExists } from '../../platform/interfaces/interface.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS, readWord, wordOf } from '../../platform/units/kept-members.ts';
import { line, whole } from '../../platform/units/settings-schemas.ts';
import { PORTS_MOST, parsePorts, portsText } from './port-ranges.ts';

export const ACTIONS = ['accept', 'drop', 'reject'] as const;
export const DIRECTIONS = ['input', 'forward'] as const;
export const PROTOCOLS = ['any', 'tcp', 'udp', 'icmp'] as const;

export interface FirewallRule extends Kept {
  name: string;
  position: number;
  action: (typeof ACTIONS)[number];
  direction: (typeof DIRECTIONS)[number];
  /** Interface at which packets come in; empty: any. */
  interface: string;
  /** Canonical networks; empty: any address. */
  source_cidr: string;
  destination_cidr: string;
  protocol: (typeof PROTOCOLS)[number];
  /** `22,8000-8100`; empty: any port. */
  ports: string;
  log: boolean;
}

const POSITION_MOST = 65_535;
/** Distance of a new last rule from the one before it. */
const STEP = 10;
const RULES_MOST = 500;

const name = line(64, 'What the rule is for, as `Backups from the jump host`. Unique.');
const position = whole(
  1,
  POSITION_MOST,
  'Rules are matched by position, and by name within a position; the first match applies. Left out for a new rule: ten after the last.',
);
const WORDS = {
  action: 'accept lets the packet pass, drop refuses it in silence, reject refuses it with an answer.',
  direction:
    'input: packets to the appliance itself. forward: packets that it passes on, which only interfaces with the role route do.',
  protocol: 'icmp covers ICMP and ICMPv6.',
};
const action = wordOf(ACTIONS, WORDS.action);
const direction = wordOf(DIRECTIONS, `${WORDS.direction} Default input.`);
const on = v.pipe(
  v.string(),
  v.maxLength(15, 'At most 15 characters.'),
  v.description('Interface at which the packet comes in, by name; empty: any.'),
);
const cidr = (end: string) =>
  v.pipe(
    v.string(),
    v.maxLength(64, 'At most 64 characters.'),
    v.description(`Network, or single address, ${end}; empty: any. Source and destination are of one family.`),
  );
const protocol = wordOf(PROTOCOLS, `${WORDS.protocol} Default any.`);
const ports = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description(
    `Destination ports of TCP or UDP, as \`22, 8000-8100\`: at most ${PORTS_MOST} ports or ranges; stored in order, overlapping ones as one. Empty: any.`,
  ),
);
const log = described(
  v.boolean(),
  'Also writes matching packets to the system log, ten lines a minute at most. Default false.',
);

const members = {
  name,
  position: v.optional(position),
  action,
  direction: v.optional(direction),
  interface: v.optional(on),
  source_cidr: v.optional(cidr('that the packet comes from')),
  destination_cidr: v.optional(cidr('that the packet goes to')),
  protocol: v.optional(protocol),
  ports: v.optional(ports),
  log: v.optional(log),
  enabled: v.optional(enabledMember('saved, but not applied.')),
  description: v.optional(descriptionMember),
};

const item = component(
  'FirewallRule',
  v.object({
    id: idSchema,
    name: text('What the rule is for. Unique.'),
    position: described(integerSchema, 'Rules are matched by position; the first match applies.'),
    action: described(v.picklist(ACTIONS), WORDS.action),
    direction: described(v.picklist(DIRECTIONS), WORDS.direction),
    interface: text('Interface at which the packet comes in; empty: any.'),
    source_cidr: text('Network that the packet comes from; empty: any.'),
    destination_cidr: text('Network that the packet goes to; empty: any.'),
    protocol: described(v.picklist(PROTOCOLS), WORDS.protocol),
    ports: text('Destination ports, as `22,8000-8100`; empty: any.'),
    log: described(v.boolean(), 'Whether matching packets are written to the system log as well.'),
    ...KEPT_MEMBERS,
  }),
);

export const firewallRules: Collection<FirewallRule> = {
  table: 'firewall_rule',
  prefix: 'fwr',
  noun: 'firewall rule',
  tag: 'Firewall',
  resource: 'firewall',
  path: '/api/v1/firewall/rules',
  param: 'rule_id',
  pages: { all: 'firewall-rules', one: 'firewall-rule', home: 'firewall' },
  listed: { component: 'FirewallRules', noun: 'rule', nouns: 'rules' },
  imports: { key: ['name'] },
  action: 'firewall.rule',
  columns: {
    name: 'text',
    position: 'integer',
    action: 'text',
    direction: 'text',
    interface: 'text',
    source_cidr: 'text',
    destination_cidr: 'text',
    protocol: 'text',
    ports: 'text',
    log: 'boolean',
  },
  order: ['position', 'name'],
  lookups: ['name', 'action', 'direction', 'interface', 'enabled'],
  words: { action: ACTIONS, direction: DIRECTIONS },
  immutable: [],
  defaults: {
    position: 0,
    direction: 'input',
    interface: '',
    source_cidr: '',
    destination_cidr: '',
    protocol: 'any',
    ports: '',
    log: false,
  },
  schemas: {
    item,
    list: listOf('FirewallRuleList', item),
    create: component('FirewallRuleCreate', v.strictObject(members), {
      name: 'SSH from the jump host',
      action: 'accept',
      direction: 'input',
      interface: 'ens192',
      source_cidr: '198.51.100.9/32',
      protocol: 'tcp',
      ports: '22',
      log: true,
    }),
    update: component(
      'FirewallRuleUpdate',
      v.strictObject({ ...members, name: v.optional(name), action: v.optional(action) }),
      { position: 20, ports: '22, 8000-8100' },
    ),
  },
  title: (rule) => rule.name,
  facts: told(
    'position',
    'action',
    'direction',
    'interface',
    'source_cidr',
    'destination_cidr',
    'protocol',
    'ports',
    'enabled',
  ),
  async settle(tx, next, before) {
    const { rule, faults } = readRule(next);
    // Also when the rule is enabled: its interface may have been deleted while it was disabled.
    const looked = rule.interface !== before?.interface || (rule.enabled && !before.enabled);
    if (rule.interface !== '' && looked && !(await interfaceExists(tx, rule.interface))) {
      faults.push({ pointer: '/interface', detail: 'There is no interface of this name.' });
    }
    if (faults.length > 0) throw invalid(...faults);
    return before === null ? { ...rule, position: await placeOf(tx, rule.position) } : rule;
  },
};

/** @throws Problem 422 naming every faulty member. */
export function canonicalRule(written: FirewallRule): FirewallRule {
  const { rule, faults } = readRule(written);
  if (faults.length > 0) throw invalid(...faults);
  return rule;
}

/** The canonical rule, and a fault for every member that can't be read. */
function readRule(rule: FirewallRule): { rule: FirewallRule; faults: FieldError[] } {
  const errors: FieldError[] = [];
  const fault = (member: keyof FirewallRule, detail: string): void => {
    errors.push({ pointer: `/${member}`, detail });
  };
  const oneOf = <T extends string>(member: keyof FirewallRule, words: readonly T[]): T => {
    const word = readWord(words, String(rule[member]));
    if (!word) fault(member, `Must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`);
    return word ?? words[0]!;
  };
  const network = (member: 'source_cidr' | 'destination_cidr'): string => {
    const { text, detail } = canonicalNetwork(rule[member]);
    if (detail) fault(member, detail);
    return text;
  };
  const made: FirewallRule = {
    ...rule,
    name: rule.name.trim(),
    action: oneOf('action', ACTIONS),
    direction: oneOf('direction', DIRECTIONS),
    protocol: oneOf('protocol', PROTOCOLS),
    interface: rule.interface.trim(),
    source_cidr: network('source_cidr'),
    destination_cidr: network('destination_cidr'),
  };
  if (made.name === '') fault('name', 'A name is missing.');
  if (errors.length === 0 && mixed(made)) fault('destination_cidr', 'Must be of the same family as the source.');
  const ranges = parsePorts(rule.ports);
  if (ranges === null) fault('ports', 'Must be ports from 1 to 65535 or ranges, such as 22, 8000-8100.');
  else if (ranges.length > PORTS_MOST) fault('ports', `At most ${PORTS_MOST} ports or ranges.`);
  else if (ranges.length > 0 && made.protocol !== 'tcp' && made.protocol !== 'udp') {
    fault('ports', 'Only TCP and UDP have ports: choose one of them, or leave the ports empty.');
  }
  return { rule: { ...made, ports: portsText(ranges ?? []) }, faults: errors };
}

const mixed = ({ source_cidr, destination_cidr }: FirewallRule): boolean =>
  source_cidr !== '' && destination_cidr !== '' && source_cidr.includes(':') !== destination_cidr.includes(':');

function canonicalNetwork(typed: string): { text: string; detail?: string } {
  const text = typed.trim();
  if (text === '') return { text };
  const address = parseAddress(text);
  if (address) return { text: `${address.text}/${address.family === 4 ? 32 : 128}` };
  const network = parseCidr(text);
  if (!network) return { text, detail: 'Must be a network such as 10.10.0.0/24, or an address; empty for any.' };
  const own = networkOf(network);
  return own === network.text ? { text: own } : { text, detail: `Has host bits; the network is ${own}.` };
}

const LAST = 'SELECT coalesce(max(position), 0) AS last, count(*) AS rules FROM firewall_rule';

/** Position of a new rule. @throws Problem 409 when there are RULES_MOST rules already. */
async function placeOf(tx: Transaction, wanted: number): Promise<number> {
  const { last, rules } = (await tx.one<{ last: number; rules: number }>(LAST))!;
  if (rules >= RULES_MOST)
    throw new Problem('state_conflict', `There are ${RULES_MOST} rules already; delete one first.`);
  return wanted === 0 ? Math.min(last + STEP, POSITION_MOST) : wanted;
}
