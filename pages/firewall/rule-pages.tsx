// The pages of firewall rules: fields, facts and words.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { type Listenable, readSettings } from '../../shared/platform/units/settings-store.ts';
import {
  ACTIONS,
  DIRECTIONS,
  type FirewallRule,
  firewallRules,
  PROTOCOLS,
} from '../../shared/services/firewall/rules.ts';
import { firewallSettings } from '../../shared/services/firewall/settings.ts';
import { ruleWords } from '../../shared/services/firewall/words.ts';
import type { FieldOption } from '../components/form.tsx';
import type { Field } from '../units/fields.tsx';
import { commonGroup, type ItemPages } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';

export const FIREWALL = { href: pagePath('firewall'), label: 'Firewall' };

const ACTION_LABELS: Record<FirewallRule['action'], string> = {
  accept: 'Accept: let it pass',
  drop: 'Drop: refuse it in silence',
  reject: 'Reject: refuse it with an answer',
};
const DIRECTION_LABELS: Record<FirewallRule['direction'], string> = {
  input: 'To the appliance itself',
  forward: 'Through it, between interfaces with the role route',
};
const PROTOCOL_LABELS: Record<FirewallRule['protocol'], string> = {
  any: 'Any',
  tcp: 'TCP',
  udp: 'UDP',
  icmp: 'ICMP and ICMPv6',
};

const optionsOf = <T extends string>(values: readonly T[], labels: Record<T, string>): FieldOption[] =>
  values.map((value) => ({ value, label: labels[value] }));

/** A rule may name an interface that carries nothing yet. */
function interfaceChoices(interfaces: readonly Listenable[], chosen: string): FieldOption[] {
  const known = interfaces.map(({ name, addresses, obstacle }) => ({
    value: name,
    label: `${name}: ${addresses.join(', ') || obstacle || 'address by DHCP'}`,
  }));
  const gone = chosen !== '' && !interfaces.some(({ name }) => name === chosen);
  return [
    { value: '', label: 'Any interface' },
    ...known,
    ...(gone ? [{ value: chosen, label: `${chosen}: there is no such interface` }] : []),
  ];
}

const LOG: Field = {
  name: 'log',
  label: 'Log',
  kind: 'switch',
  text: 'Write packets that match to the system log',
  help: 'Ten lines a minute at most.',
};

export const RULE_PAGES: ItemPages<FirewallRule, Listenable[]> = {
  collection: firewallRules,
  component: 'FirewallRule',
  noun: 'rule',
  what: 'the firewall',
  home: FIREWALL,
  base: `${FIREWALL.href}/rules`,
  blank: {
    name: '',
    position: '',
    action: 'accept',
    direction: 'input',
    interface: '',
    source_cidr: '',
    destination_cidr: '',
    protocol: 'any',
    ports: '',
    log: false,
    enabled: true,
    description: '',
  },
  load: async (db) => (await readSettings(db, firewallSettings)).interfaces,
  groups: (interfaces, rule) => [
    {
      legend: 'Rule',
      fields: [
        {
          name: 'name',
          label: 'Name',
          kind: 'text',
          wide: true,
          required: true,
          maxlength: 64,
          placeholder: 'SSH from the jump host',
        },
        {
          name: 'position',
          label: 'Position',
          kind: 'number',
          help: `Rules are matched in order, lowest first; the first match applies.${rule ? '' : ' Empty: after the last.'}`,
        },
        { name: 'action', label: 'Action', kind: 'radio', options: optionsOf(ACTIONS, ACTION_LABELS) },
      ],
    },
    {
      legend: 'Which packets',
      fields: [
        { name: 'direction', label: 'Direction', kind: 'radio', options: optionsOf(DIRECTIONS, DIRECTION_LABELS) },
        {
          name: 'interface',
          label: 'Comes in at',
          kind: 'choice',
          options: interfaceChoices(interfaces, rule?.interface ?? ''),
        },
        {
          name: 'source_cidr',
          label: 'From',
          kind: 'text',
          mono: true,
          placeholder: 'any address',
          help: 'A network such as 10.10.0.0/24, or one address.',
        },
        { name: 'destination_cidr', label: 'To', kind: 'text', mono: true, placeholder: 'any address' },
        { name: 'protocol', label: 'Protocol', kind: 'choice', options: optionsOf(PROTOCOLS, PROTOCOL_LABELS) },
        {
          name: 'ports',
          label: 'Ports',
          kind: 'text',
          mono: true,
          placeholder: 'any port',
          help: 'Of TCP or UDP, as 22, 8000-8100.',
        },
        LOG,
      ],
    },
    commonGroup('rule', 'A disabled rule is kept but not applied.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="rule" row={row} />,
  facts: (rule) => [{ label: 'Says', value: ruleWords(rule) }],
  deleting: ({ name }) => `Packets that match ${name} now will be matched against the rules after it.`,
};
