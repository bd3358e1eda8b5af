// Fields of a served subnet, a scope's or the legacy binding's: from saved values to the form, and from faults of single
// list items to the field that holds the list.
import { type HandedOut, handedOut, ownAddress } from '../../../shared/platform/interfaces/refresh/handed-out.ts';
import { NO_GATEWAY, NO_SERVER, type ScopeRow } from '../../../shared/platform/interfaces/refresh/snapshot.ts';
import { carriesService, type Standing } from '../../../shared/platform/interfaces/refresh/standing.ts';
import type { Surroundings } from '../../../shared/services/dns-dhcp/dhcp/surroundings.ts';
import { LEASE_SECONDS } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';
import type { FieldOption } from '../../components/form.tsx';
import { faultsOf } from '../../interfaces/answer.tsx';
import type { Typed } from '../../layout/form-state.tsx';
import type { Field, Group } from '../../units/fields.tsx';

/** Each interface with its networks, so that the subnet can be copied from it. */
function interfaceOptions(standing: ReadonlyMap<string, Standing>, chosen: string): FieldOption[] {
  const named = [...standing].map(([name, each]) => {
    const networks = [each.networks.ipv4, each.networks.ipv6].flatMap((cidr) => cidr?.text ?? []);
    const words = networks.join(', ') || (carriesService(each) ? 'address by DHCP' : each.on ? 'no address' : 'off');
    return { value: name, label: `${name}: ${words}` };
  });
  const gone =
    chosen !== '' && !standing.has(chosen) ? [{ value: chosen, label: `${chosen} (no such interface)` }] : [];
  return [{ value: '', label: 'none, while it is off' }, ...named, ...gone];
}

export interface SubnetWords {
  standing: ReadonlyMap<string, Standing>;
  /** The interface that is saved. */
  chosen: string;
  /** Help of the subnet. */
  family: string;
  example: { subnet: string; range: string };
}

export const EXAMPLES = {
  ipv4: { subnet: '172.16.20.0/24', range: '172.16.20.100-172.16.20.199' },
  ipv6: { subnet: 'fd00:20::/64', range: 'fd00:20::1000-fd00:20::1fff' },
} as const;

const server = (service: string): string =>
  `One a line, at most 4. Empty: this appliance, where its enabled ${service} service listens on the interface. ${NO_SERVER}: clients get none.`;

export interface Told extends HandedOut {
  domain: string;
}

/** What clients of a scope are told where its fields are empty. */
export function followed(
  scope: Pick<ScopeRow, 'interface' | 'subnet_cidr' | 'address_family'>,
  { standing, listening, domain }: Pick<Surroundings, 'standing' | 'listening' | 'domain'>,
): Told {
  const empty = { ...scope, gateway: '', dns_servers: [], ntp_servers: [] };
  return { ...handedOut(empty, ownAddress(scope, standing), listening), domain };
}

// Short enough for the narrow field of the gateway.
const follows = (told: string): string => (told === '' ? 'none from the appliance' : `${told} (appliance)`);

export function networkGroup({ standing, chosen, family, example }: SubnetWords): Group {
  return {
    legend: 'Network',
    fields: [
      {
        name: 'interface',
        label: 'Interface',
        kind: 'choice',
        options: interfaceOptions(standing, chosen),
        help: 'It needs a static address in the subnet. It may be empty only while the scope is disabled.',
      },
      { name: 'subnet_cidr', label: 'Subnet', kind: 'text', mono: true, placeholder: example.subnet, help: family },
      {
        name: 'ranges',
        label: 'Ranges',
        kind: 'list',
        rows: 3,
        placeholder: example.range,
        help: 'First and last address, one range a line. Empty: only reservations are served.',
      },
    ],
  };
}

export function clientsGroup({ gateway, dns_servers, ntp_servers, domain }: Told): Group {
  return {
    legend: 'Sent to clients',
    fields: [
      {
        name: 'gateway',
        label: 'Gateway',
        kind: 'text',
        mono: true,
        placeholder: follows(gateway),
        help: `Empty: this appliance’s address on the interface. ${NO_GATEWAY}: clients get no gateway.`,
      },
      {
        name: 'dns_servers',
        label: 'DNS servers',
        kind: 'list',
        rows: 2,
        placeholder: follows(dns_servers.join()),
        help: server('DNS'),
      },
      {
        name: 'ntp_servers',
        label: 'NTP servers',
        kind: 'list',
        rows: 2,
        placeholder: follows(ntp_servers.join()),
        help: server('NTP'),
      },
      {
        name: 'domain',
        label: 'Domain',
        kind: 'text',
        mono: true,
        placeholder: domain === '' ? 'none' : `follows the name service: ${domain}`,
        help: 'Completes the names of clients, and of reservations that register in DNS.',
      },
      {
        name: 'lease_time',
        label: 'Lease time',
        kind: 'number',
        help: `Seconds, ${LEASE_SECONDS.least} to ${LEASE_SECONDS.most.toLocaleString('en')}`,
      } satisfies Field,
    ],
  };
}

/** Values of the form: each range is a line. */
export function subnetValues(saved: { ranges: readonly { start: string; end: string }[] }): Record<string, unknown> {
  return { ...saved, ranges: saved.ranges.map(({ start, end }) => (start === end ? start : `${start}-${end}`)) };
}

const LISTS: Readonly<Record<string, string>> = { ranges: 'Range', dns_servers: 'Server', ntp_servers: 'Server' };

/** A fault of a list's item says which item: the list is one field. */
export function numbered(typed: Typed): Typed {
  const errors = faultsOf(typed.outcome?.problem).map(({ pointer, detail }) => {
    const [, member = '', at, part] = pointer.split('/');
    const word = LISTS[member];
    if (word === undefined || at === undefined) return { pointer: `/${member}`, detail };
    return { pointer: `/${member}`, detail: `${word} ${Number(at) + 1}${part ? `, ${part}` : ''}: ${detail}` };
  });
  const of = (name: string): string | undefined =>
    errors
      .filter(({ pointer }) => pointer === `/${name}`)
      .map(({ detail }) => detail)
      .join(' ') || undefined;
  return { ...typed, errors, of };
}
