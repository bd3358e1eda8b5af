// The pages of DHCP scopes: fields, the subnet drawn above them, options and reservations beside them.
import { networkOf, parseCidr } from '../../../shared/ground/addresses/address.ts';
import { FormFields } from '../../../shared/kernel/operation/operation.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import { type Standing, standingIn } from '../../../shared/platform/interfaces/refresh/standing.ts';
import { scopeFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import type { DhcpOption } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { optionsFor } from '../../../shared/services/dns-dhcp/dhcp/page-lists.ts';
import { type DhcpScope, dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { loadSubnetUse, textPrefix } from '../../../shared/services/dns-dhcp/dhcp/subnet-use.ts';
import { FAMILY_NAME } from '../../../shared/services/dns-dhcp/dhcp/subnet-values.ts';
import { readSurroundings } from '../../../shared/services/dns-dhcp/dhcp/surroundings.ts';
import { stripOf, textOf } from '../../components/address-strip-layout.ts';
import { ButtonLink } from '../../components/button.tsx';
import type { Fact } from '../../components/facts.tsx';
import type { ShellState } from '../../layout/state.ts';
import type { Group } from '../../units/fields.tsx';
import type { ItemPages } from '../../units/item-pages.tsx';
import { RowWord } from '../../units/row-words.tsx';
import { DHCP, Obstacle, OPTIONS, optionHref, RESERVATIONS, SCOPES } from './dhcp-words.tsx';
import { clientsGroup, EXAMPLES, followed, networkGroup, numbered, subnetValues, type Told } from './subnet-fields.ts';
import { type Drawn, drawnOf, type Subnet, SubnetStrip } from './subnet-strip.tsx';

interface Extra {
  standing: ReadonlyMap<string, Standing>;
  /** What clients are told where a field is empty. */
  told: Told;
  lease_time: number;
  boot_listeners: readonly string[];
  /** Of a new one, after the interface that was asked for. */
  begin: { interface: string; subnet_cidr: string };
  drawn: Drawn | null;
  options: DhcpOption[];
}

const BLANK = {
  name: '',
  ranges: [],
  gateway: '',
  dns_servers: [],
  ntp_servers: [],
  domain: '',
  boot_listener: '',
  enabled: true,
  description: '',
};

export const SCOPE_PAGES: ItemPages<DhcpScope, Extra> = {
  collection: dhcpScopes,
  component: 'DhcpScope',
  noun: 'scope',
  what: 'DHCP',
  home: DHCP,
  base: SCOPES,
  blank: ({ begin, lease_time }) => ({ ...BLANK, ...begin, lease_time }),
  values: subnetValues,
  told: numbered,
  async load(db, item, asked) {
    const around = await readSurroundings(db);
    const { standing, lease_time, boot_listeners } = around;
    const begin = beginning(standing, asked.query.interface ?? '');
    const subnet = typedSubnet(asked.outcome) ?? item ?? { ...BLANK, ...begin };
    const [[use = []], options] = await Promise.all([
      loadSubnetUse(db, [subnet.subnet_cidr]),
      item ? optionsFor(db, item) : [],
    ]);
    const drawn = parseCidr(subnet.subnet_cidr) ? drawnOf(subnet, use, standing) : null;
    const address_family = parseCidr(subnet.subnet_cidr)?.family === 6 ? 'ipv6' : 'ipv4';
    const told = followed({ ...subnet, address_family }, around);
    return { standing, told, lease_time, boot_listeners, begin, drawn, options };
  },
  groups: ({ standing, told, boot_listeners }, item) => [
    {
      legend: 'Scope',
      fields: [
        {
          name: 'name',
          label: 'Name',
          kind: 'text',
          required: true,
          maxlength: 63,
          placeholder: 'management',
          help: 'Letters, digits, spaces, dots, underscores and hyphens',
        },
        {
          name: 'enabled',
          label: 'Enabled',
          kind: 'switch',
          text: 'Serve this scope',
          help: 'A disabled scope is kept, but gives out no addresses.',
        },
        { name: 'description', label: 'Description', kind: 'text', maxlength: 500 },
      ],
    },
    networkGroup({
      standing,
      chosen: item?.interface ?? '',
      family: item
        ? `An ${FAMILY_NAME[item.address_family]} network: the family of a scope can’t change.`
        : 'IPv4 or IPv6, without host bits. The family can’t change later.',
      example: EXAMPLES[item?.address_family ?? 'ipv4'],
    }),
    clientsGroup(told),
    ...(item?.address_family === 'ipv6' ? [] : [bootGroup(boot_listeners, item?.boot_listener ?? '')]),
  ],
  before: ({ standing, drawn }, item) => (
    <>
      {item === null && <Beginnings standing={standing} />}
      {drawn && <SubnetStrip drawn={drawn} />}
    </>
  ),
  state: (scope, { standing }, standings) => (
    <>
      <RowWord standings={standings} of="scope" row={scope} />
      <Obstacle scope={scope} standing={standing} />
    </>
  ),
  facts: (scope, { drawn }) => factsOf(scope, drawn),
  beside: (scope, { options, drawn }, { user, standings }) => (
    <Beside
      scope={scope}
      options={options}
      drawn={drawn}
      writes={user.scopes.includes('write:dhcp')}
      standings={standings}
    />
  ),
  deleting: (scope, { drawn, options }) => {
    const own = options.filter(({ scope_id }) => scope_id === scope.id).length;
    const kept = drawn?.reservations ?? 0;
    return [
      `Its ranges would no longer be given out on ${scope.interface || 'any interface'}.`,
      own > 0 && ` Its ${own === 1 ? 'option goes' : `${own} options go`} with it.`,
      kept > 0 &&
        ` It has ${kept === 1 ? 'a reservation' : `${kept} reservations`}: while enabled, they need another enabled scope.`,
    ];
  },
};

/** Which boot listener DHCP tells machines of; IPv4 only. */
function bootGroup(listeners: readonly string[], chosen: string): Group {
  const gone = chosen === '' || listeners.includes(chosen) ? [] : [chosen];
  return {
    legend: 'Network boot',
    fields: [
      {
        name: 'boot_listener',
        label: 'Boot listener',
        kind: 'choice',
        options: [
          { value: '', label: 'automatic' },
          ...listeners.map((name) => ({ value: name, label: name })),
          ...gone.map((name) => ({ value: name, label: `${name} (network boot does not listen there)` })),
        ],
        help: 'Where hosts of this scope boot from. Automatic: the listener on the scope’s own interface, or else the only listener, through the scope’s gateway. The plan shows which one.',
      },
    ],
  };
}

/** What was typed, so that a refused form is drawn as it was meant; null when it is no subnet. */
function typedSubnet(outcome: FormOutcome | null): Subnet | null {
  if (!outcome?.values.has('subnet_cidr')) return null;
  const typed = scopeFields(new FormFields(outcome.values.toString()));
  return parseCidr(typed.subnet_cidr) ? typed : null;
}

const networksOf = ({ networks }: Standing) => [networks.ipv4, networks.ipv6].flatMap((cidr) => cidr ?? []);

function beginning(standing: ReadonlyMap<string, Standing>, name: string): Extra['begin'] {
  const [cidr] = networksOf(standingIn(standing, name));
  return { interface: standing.has(name) ? name : '', subnet_cidr: cidr ? networkOf(cidr) : '' };
}

/** One link for each interface that has a network: it fills in the interface and the subnet. */
function Beginnings({ standing }: { standing: ReadonlyMap<string, Standing> }) {
  const usable = [...standing].filter(([, each]) => networksOf(each).length > 0);
  if (usable.length === 0) return null;
  return (
    <p class="begin">
      <span class="muted">Fill in from</span>
      {usable.map(([name, each]) => (
        <ButtonLink key={name} href={`${SCOPES}/new?interface=${encodeURIComponent(name)}`}>
          <code>{name}</code> <span class="muted mono">{networkOf(networksOf(each)[0]!)}</span>
        </ButtonLink>
      ))}
    </p>
  );
}

function factsOf(scope: DhcpScope, drawn: Drawn | null): Fact[] {
  const search = new URLSearchParams({ search: textPrefix(parseCidr(scope.subnet_cidr)!) });
  const count = drawn?.reservations ?? 0;
  const words = count === 1 ? '1 reservation' : `${count} reservations`;
  return [
    { label: 'Family', value: FAMILY_NAME[scope.address_family] },
    {
      label: 'In its subnet',
      value:
        count === 0 ? (
          <span class="muted">no reservation</span>
        ) : (
          <a href={`${RESERVATIONS.href}?${search}`}>{words}</a>
        ),
    },
  ];
}

interface BesideProps {
  scope: DhcpScope;
  options: readonly DhcpOption[];
  drawn: Drawn | null;
  writes: boolean;
  standings: ShellState['standings'];
}

function Beside({ scope, options, drawn, writes, standings }: BesideProps) {
  const strip = drawn && stripOf(drawn.data);
  const free = strip?.next == null ? null : textOf(strip.cidr.family, strip.next);
  return (
    <>
      {writes && free !== null && scope.enabled && (
        <p>
          <ButtonLink href={`${RESERVATIONS.href}/new?${new URLSearchParams({ ip_address: free })}`}>
            Reserve <code>{free}</code>
          </ButtonLink>
        </p>
      )}
      <h2>Options</h2>
      {options.length === 0 ? (
        <p class="muted">None beyond what the form says.</p>
      ) : (
        <ul class="says">
          {options.map((option) => (
            <li key={option.id}>
              <a href={optionHref(option.id)}>
                <code>{option.code}</code>
              </a>{' '}
              <code>{option.value}</code>{' '}
              <RowWord
                standings={standings}
                of="option"
                row={{ ...option, scope: option.scope_id === null ? null : scope.name }}
              />
              {option.scope_id === null && <span class="muted line">of every scope</span>}
            </li>
          ))}
        </ul>
      )}
      {writes && (
        <p>
          <ButtonLink icon="plus" href={`${OPTIONS}/new?${new URLSearchParams({ scope_id: scope.id })}`}>
            Add option
          </ButtonLink>
        </p>
      )}
    </>
  );
}
