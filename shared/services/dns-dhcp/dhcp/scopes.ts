// DHCP scopes: which addresses the appliance gives out on which interface.
import * as v from 'valibot';
import type { FieldError } from '../../../ground/problems.ts';
import { component, idSchema, listOf, text } from '../../../ground/schemas/component.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { NAME_MOST } from '../../../platform/interfaces/interface.ts';
import { FAMILIES } from '../../../platform/interfaces/refresh/change.ts';
import type { ScopeRow } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Collection, type Kept, told } from '../../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../../platform/units/kept-members.ts';
import { addressFamily, familySchema, SUBNET_ANSWER, SUBNET_MEMBERS } from './members.ts';
import { renameRegistered } from './reservation-record.ts';
import { refuseOverlap, requireServed, settleSubnet } from './subnet-rules.ts';
import { readSurroundings, type Surroundings } from './surroundings.ts';

export interface DhcpScope extends Kept, ScopeRow {
  lease_time: number;
  domain: string;
  /** Name of an interface; empty: see listening.ts of network boot. */
  boot_listener: string;
}

const name = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[A-Za-z0-9 ._-]{1,63}$/, '1 to 63 letters, digits, spaces, dots, underscores and hyphens.'),
  v.description('Unique; 1 to 63 letters, digits, spaces, dots, underscores and hyphens.'),
);
const bootListener = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(NAME_MOST, `At most ${NAME_MOST} characters.`),
  v.description(
    'Interface of the boot listener that DHCP names to machines of the scope; network boot must listen on it. IPv4 only. Empty: the listener on the scope’s own interface; else, if the scope’s gateway leads there, the only listener that there is.',
  ),
);
const enabled = enabledMember('saved, but not served.');

const item = component(
  'DhcpScope',
  v.object({
    id: idSchema,
    name: text('Unique name.'),
    address_family: familySchema,
    ...SUBNET_ANSWER,
    boot_listener: text('Interface of the boot listener that DHCP names to its machines; empty: chosen by itself.'),
    ...KEPT_MEMBERS,
  }),
);
const { subnet_cidr, ...optional } = SUBNET_MEMBERS;
const choices = {
  ...v.partial(v.strictObject({ ...optional, boot_listener: bootListener, enabled, description: descriptionMember }))
    .entries,
};

export const dhcpScopes: Collection<DhcpScope> = {
  table: 'dhcp_scope',
  prefix: 'scope',
  noun: 'DHCP scope',
  tag: 'DHCP',
  resource: 'dhcp',
  path: '/api/v1/dhcp/scopes',
  param: 'scope_id',
  pages: { all: 'dhcp-scopes', one: 'dhcp-scope', home: 'dhcp' },
  listed: { component: 'DhcpScopes', noun: 'scope', nouns: 'scopes' },
  imports: { key: ['name'] },
  action: 'dhcp.scope',
  columns: {
    name: 'text',
    address_family: 'text',
    interface: 'text',
    subnet_cidr: 'text',
    ranges: 'json',
    gateway: 'text',
    dns_servers: 'json',
    ntp_servers: 'json',
    lease_time: 'integer',
    domain: 'text',
    boot_listener: 'text',
  },
  order: ['name'],
  lookups: ['name', 'interface', 'address_family', 'enabled'],
  words: { address_family: FAMILIES },
  immutable: ['address_family'],
  defaults: { interface: '', ranges: [], gateway: '', dns_servers: [], ntp_servers: [], domain: '', boot_listener: '' },
  schemas: {
    item,
    list: listOf('DhcpScopeList', item),
    create: component(
      'DhcpScopeCreate',
      v.strictObject({
        name,
        address_family: v.optional(addressFamily('Default: that of the subnet.')),
        subnet_cidr,
        ...choices,
      }),
      {
        name: 'lab-mgmt',
        subnet_cidr: '192.0.2.0/24',
        interface: 'ens224',
        ranges: [{ start: '192.0.2.100', end: '192.0.2.199' }],
        gateway: '192.0.2.1',
        dns_servers: ['192.0.2.53'],
        ntp_servers: ['192.0.2.123'],
        lease_time: 3600,
        domain: 'lab.test',
      },
    ),
    update: component(
      'DhcpScopeUpdate',
      v.strictObject({
        name: v.optional(name),
        address_family: v.optional(addressFamily('Cannot change: another value answers 409.')),
        subnet_cidr: v.optional(subnet_cidr),
        ...choices,
      }),
      { ranges: [{ start: '192.0.2.120', end: '192.0.2.199' }], lease_time: 7200 },
    ),
  },
  title: (scope) => scope.name,
  facts: told(
    'interface',
    'subnet_cidr',
    'ranges',
    'gateway',
    'dns_servers',
    'ntp_servers',
    'lease_time',
    'domain',
    'boot_listener',
    'enabled',
  ),
  async settle(tx, next, before) {
    const surroundings = await readSurroundings(tx);
    const timed = { ...next, lease_time: next.lease_time ?? surroundings.lease_time };
    const scope = settleSubnet(timed, before, surroundings, { others: unheard(timed, before, surroundings) });
    refuseOverlap(scope, surroundings.scopes);
    await requireServed(tx, surroundings, { ...surroundings, scopes: withScope(surroundings, scope) });
    return scope;
  },
  deletable: refuseUncovering,
  async saved(tx, scope, before, shell) {
    if (before && scope.enabled && scope.domain !== before.domain) await renameRegistered(tx, shell, scope);
  },
};

/**
 * A boot listener that does not listen; one chosen before is accepted, and the plan of network boot shows what it
 * means.
 */
function unheard(
  { boot_listener, address_family, subnet_cidr }: DhcpScope,
  before: DhcpScope | null,
  { boot_listeners }: Surroundings,
): FieldError[] {
  if (boot_listener === '' || boot_listener === before?.boot_listener) return [];
  // Without a family, that of the subnet counts.
  const ipv6 = (address_family ?? (subnet_cidr.includes(':') ? 'ipv6' : 'ipv4')) === 'ipv6';
  if (!ipv6 && boot_listeners.includes(boot_listener)) return [];
  const detail = ipv6 ? 'Only IPv4 scopes have a boot listener.' : `Network boot does not listen on ${boot_listener}.`;
  return [{ pointer: '/boot_listener', detail }];
}

/** The scopes after the change, in their order. */
function withScope({ scopes }: Surroundings, scope: DhcpScope): Surroundings['scopes'] {
  const at = scopes.findIndex(({ id }) => id === scope.id);
  return at < 0 ? [...scopes, scope] : scopes.with(at, scope);
}

/** Also for a disabled scope: without any scope the legacy binding is in force again. */
async function refuseUncovering(tx: Transaction, { id }: DhcpScope): Promise<void> {
  const surroundings = await readSurroundings(tx);
  const scopes = surroundings.scopes.filter((scope) => scope.id !== id);
  await requireServed(tx, surroundings, { ...surroundings, scopes });
}
