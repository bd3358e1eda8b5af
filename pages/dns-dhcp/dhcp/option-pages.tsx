// The pages of DHCP options beyond those that the scopes' own fields give.

import { type DhcpOption, dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { FAMILY_NAME } from '../../../shared/services/dns-dhcp/dhcp/subnet-values.ts';
import { readSurroundings, type ServedSubnet } from '../../../shared/services/dns-dhcp/dhcp/surroundings.ts';
import type { Group } from '../../units/fields.tsx';
import type { ItemPages } from '../../units/item-pages.tsx';
import { RowWord } from '../../units/row-words.tsx';
import { DHCP, OPTIONS, scopeHref } from './dhcp-words.tsx';

interface Extra {
  scopes: readonly ServedSubnet[];
  /** Of a new one: the scope that it was asked for. */
  scope_id: string;
}

/** As its fact has it; null: every scope. */
const scopeName = ({ scope_id }: DhcpOption, scopes: Extra['scopes']): string | null =>
  scope_id === null ? null : (scopes.find(({ id }) => id === scope_id)?.name ?? scope_id);

const SENT: Group = {
  legend: 'Sent to clients',
  fields: [
    {
      name: 'code',
      label: 'Code',
      kind: 'number',
      help: 'IPv4, 1 to 254: 26 MTU, 66 boot server, 67 boot file, 119 search list, 121 static routes. IPv6, 1 to 65535: 59 boot file URL. Gateway, DNS, NTP, domain and lease time are fields of the scope.',
    },
    {
      name: 'value',
      label: 'Value',
      kind: 'text',
      mono: true,
      wide: true,
      required: true,
      maxlength: 240,
      placeholder: '172.16.20.2',
      help: 'Items separated by commas, 240 printable characters at most',
    },
  ],
};

export const OPTION_PAGES: ItemPages<DhcpOption, Extra> = {
  collection: dhcpOptions,
  component: 'DhcpOption',
  noun: 'option',
  what: 'DHCP',
  home: DHCP,
  base: OPTIONS,
  blank: ({ scope_id }) => ({ scope_id, address_family: '', code: '', value: '', enabled: true, description: '' }),
  values: (option) => ({ ...option, scope_id: option.scope_id ?? '' }),
  async load(db, _item, { query }) {
    const { scopes } = await readSurroundings(db);
    return { scopes, scope_id: scopes.some(({ id }) => id === query.scope_id) ? query.scope_id! : '' };
  },
  groups: ({ scopes }, item) => [
    {
      legend: 'Who gets it',
      fields: [
        {
          name: 'scope_id',
          label: 'Scope',
          kind: 'choice',
          options: [
            { value: '', label: 'Every scope of the family' },
            ...scopes.map(({ id, name, subnet_cidr }) => ({ value: id, label: `${name}: ${subnet_cidr}` })),
          ],
        },
        {
          name: 'address_family',
          label: 'Family',
          kind: 'choice',
          options: [
            ...(item ? [] : [{ value: '', label: 'That of the scope, else IPv4' }]),
            { value: 'ipv4', label: 'IPv4' },
            { value: 'ipv6', label: 'IPv6' },
          ],
        },
      ],
    },
    SENT,
    {
      legend: 'State',
      fields: [
        {
          name: 'enabled',
          label: 'Enabled',
          kind: 'switch',
          text: 'Send this option',
          help: 'A disabled option is kept but not sent.',
        },
        { name: 'description', label: 'Description', kind: 'text', maxlength: 500 },
      ],
    },
  ],
  state: (row, { scopes }, standings) => (
    <RowWord standings={standings} of="option" row={{ ...row, scope: scopeName(row, scopes) }} />
  ),
  facts: ({ scope_id, address_family }, { scopes }) => [
    {
      label: 'Sent to clients of',
      value:
        scope_id === null ? (
          `every ${FAMILY_NAME[address_family]} scope`
        ) : (
          <a href={scopeHref(scope_id)}>{scopes.find(({ id }) => id === scope_id)?.name ?? scope_id}</a>
        ),
    },
  ],
  deleting: ({ scope_id }) =>
    `Clients of ${scope_id === null ? 'every scope' : 'its scope'} would no longer get this option.`,
};
