// The pages of DHCP reservations: fields, the subnet drawn around the address, and what keeps or follows them.
import { contains, parseAddress, parseCidr } from '../../../shared/ground/addresses/address.ts';
import { type KeptRecord, recordsOf } from '../../../shared/services/dns-dhcp/dhcp/page-lists.ts';
import { type DhcpReservation, dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { loadSubnetUse } from '../../../shared/services/dns-dhcp/dhcp/subnet-use.ts';
import {
  readSurroundings,
  type ServedSubnet,
  servedSubnets,
} from '../../../shared/services/dns-dhcp/dhcp/surroundings.ts';
import { Note } from '../../components/block.tsx';
import type { Fact } from '../../components/facts.tsx';
import type { Group } from '../../units/fields.tsx';
import type { ItemPages } from '../../units/item-pages.tsx';
import { RowWord } from '../../units/row-words.tsx';
import { recordHref } from '../dns/form-state.tsx';
import { DHCP, Keeper, RESERVATIONS, scopeHref } from './dhcp-words.tsx';
import { type Drawn, drawnOf, SubnetStrip } from './subnet-strip.tsx';

interface Extra {
  scopes: readonly ServedSubnet[];
  /** The scope in which the address lies. */
  scope: ServedSubnet | null;
  drawn: Drawn | null;
  /** The address that is saved, typed or asked for. */
  focus: string;
  record: KeptRecord | null;
  /** Of a new one: what it was asked for with. */
  asked: Record<'hostname' | 'mac_address' | 'ip_address', string>;
}

const DESCRIPTION = { name: 'description', label: 'Description', kind: 'text', maxlength: 500 } as const;

const GROUPS: Group[] = [
  {
    legend: 'Machine',
    fields: [
      {
        name: 'hostname',
        label: 'Host name',
        kind: 'text',
        mono: true,
        required: true,
        placeholder: 'esx01',
        help: 'A label, or a full name',
      },
      {
        name: 'mac_address',
        label: 'MAC address',
        kind: 'text',
        mono: true,
        required: true,
        placeholder: '00:50:56:01:02:03',
        help: 'Of the client’s network card. Hyphens and dots are accepted as separators',
      },
    ],
  },
  {
    legend: 'Address',
    fields: [
      {
        name: 'ip_address',
        label: 'IP address',
        kind: 'text',
        mono: true,
        required: true,
        placeholder: '172.16.20.21',
        help: 'In exactly one enabled scope, inside or outside of its ranges',
      },
      {
        name: 'register_dns',
        label: 'DNS',
        kind: 'switch',
        text: 'Keep an address record for the name',
        help: 'The name, completed with the domain of the scope or of DNS, must be in one of your zones. The record follows when the address changes.',
      },
    ],
  },
  {
    legend: 'State',
    fields: [
      {
        name: 'enabled',
        label: 'Enabled',
        kind: 'switch',
        text: 'Reserve the address',
        help: 'A disabled reservation is kept, but its address is not given out and has no record.',
      },
      DESCRIPTION,
    ],
  },
];
const KEPT: Group[] = [{ legend: 'Reservation', fields: [DESCRIPTION] }];

export const RESERVATION_PAGES: ItemPages<DhcpReservation, Extra> = {
  collection: dhcpReservations,
  component: 'DhcpReservation',
  noun: 'reservation',
  what: 'DHCP',
  home: RESERVATIONS,
  above: [DHCP],
  base: RESERVATIONS.href,
  blank: ({ asked }) => ({
    ...asked,
    register_dns: false,
    enabled: true,
    description: '',
  }),
  async load(db, item, { query, outcome }) {
    const surroundings = await readSurroundings(db);
    const scopes = servedSubnets(surroundings);
    const { hostname = '', mac_address = '', ip_address = '' } = query;
    const wanted = outcome?.values.get('ip_address')?.trim() ?? item?.ip_address ?? ip_address;
    const scope = scopeOf(scopes, wanted);
    const [[use = []], records] = await Promise.all([
      loadSubnetUse(db, scope ? [scope.subnet_cidr] : []),
      item ? recordsOf(db, [item.id]) : new Map<string, KeptRecord>(),
    ]);
    const drawn = scope && drawnOf(scope, use, surroundings.standing);
    return {
      scopes,
      scope,
      drawn,
      record: (item && records.get(item.id)) ?? null,
      asked: { hostname, mac_address, ip_address },
      focus: wanted,
    };
  },
  groups: (_extra, item) => (item?.owner ? KEPT : GROUPS),
  before: ({ drawn, scopes, focus }, item) => (
    <>
      {item?.owner && (
        <Note>
          It is kept by <Keeper owner={item.owner} /> and follows it: only the description can be changed here.
        </Note>
      )}
      {item === null && scopes.length === 0 && (
        <Note icon="warn">
          No scope is enabled, and an enabled reservation needs one: <a href={`${DHCP.href}/scopes/new`}>add a scope</a>{' '}
          first.
        </Note>
      )}
      {drawn && <SubnetStrip drawn={drawn} focus={focus} />}
    </>
  ),
  deletable: ({ owner }) => owner === null,
  state: (row, _extra, standings) => <RowWord standings={standings} of="reservation" row={row} />,
  facts: (reservation, extra) => factsOf(reservation, extra),
  deleting: (_reservation, { record }) => [
    'The machine would get any address of a range, or none.',
    record && ` Its record ${record.fqdn} goes with it.`,
  ],
};

function scopeOf(scopes: readonly ServedSubnet[], text: string): ServedSubnet | null {
  const address = parseAddress(text);
  return (address && scopes.find(({ subnet_cidr }) => contains(parseCidr(subnet_cidr)!, address))) ?? null;
}

function factsOf({ mac_address, ip_address, owner }: DhcpReservation, { scope, record }: Extra): Fact[] {
  return [
    {
      label: 'Address',
      value: (
        <>
          <code>{ip_address}</code> <code class="muted">{mac_address}</code>
        </>
      ),
    },
    { label: 'Scope', value: scope ? <Scope scope={scope} /> : <span class="muted">no enabled scope</span> },
    {
      label: 'Record in DNS',
      value: record ? <a href={recordHref(record.id)}>{record.fqdn}</a> : <span class="muted">none</span>,
    },
    { label: 'Kept by', value: <Keeper owner={owner} /> },
  ];
}

/** The legacy binding is no scope with a page of its own id. */
function Scope({ scope: { id, name, subnet_cidr } }: { scope: ServedSubnet }) {
  const text = (
    <>
      {name} <code>{subnet_cidr}</code>
    </>
  );
  return id.startsWith('scope_') ? <a href={scopeHref(id)}>{text}</a> : text;
}
