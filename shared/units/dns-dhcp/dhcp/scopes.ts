// DHCP scopes: which addresses the appliance gives out on which interface.
import * as v from 'valibot';
import type { ScopeRow } from '../../../network/refresh/snapshot.ts';
import { component, listOf } from '../../../operation/component.ts';
import type { Transaction } from '../../../store/database.ts';
import type { Collection, Kept } from '../../collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../kept-members.ts';
import { addressFamily, familySchema, SUBNET_ANSWER, SUBNET_MEMBERS } from './members.ts';
import { renameRegistered } from './reservation-record.ts';
import { refuseOverlap, requireServed, settleSubnet } from './subnet-rules.ts';
import { readSurroundings, type Surroundings } from './surroundings.ts';

export interface DhcpScope extends Kept, ScopeRow {
  lease_time: number;
  domain: string;
}

const name = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[A-Za-z0-9 ._-]{1,63}$/, '1 to 63 letters, digits, spaces, dots, underscores and hyphens.'),
  v.description('Unique; 1 to 63 letters, digits, spaces, dots, underscores and hyphens.'),
);
const enabled = enabledMember('kept, but not served.');

const item = component(
  'DhcpScope',
  v.object({ id: v.string(), name: v.string(), address_family: familySchema, ...SUBNET_ANSWER, ...KEPT_MEMBERS }),
);
const { subnet_cidr, ...optional } = SUBNET_MEMBERS;
const choices = { ...v.partial(v.strictObject({ ...optional, enabled, description: descriptionMember })).entries };

export const dhcpScopes: Collection<DhcpScope> = {
  table: 'dhcp_scope',
  prefix: 'scope',
  noun: 'DHCP scope',
  tag: 'DHCP',
  resource: 'dhcp',
  path: '/api/v1/dhcp/scopes',
  param: 'scope_id',
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
  },
  order: ['name'],
  lookups: ['name', 'interface', 'address_family', 'enabled'],
  spelling: { address_family: (text) => text.trim().toLowerCase() },
  immutable: ['address_family'],
  defaults: { interface: '', ranges: [], gateway: '', dns_servers: [], ntp_servers: [], domain: '' },
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
    ),
    update: component(
      'DhcpScopeUpdate',
      v.strictObject({
        name: v.optional(name),
        address_family: v.optional(addressFamily('Cannot change: another value answers 409.')),
        subnet_cidr: v.optional(subnet_cidr),
        ...choices,
      }),
    ),
  },
  title: (scope) => scope.name,
  facts: ({ interface: on, subnet_cidr, ranges, gateway, dns_servers, ntp_servers, lease_time, domain, enabled }) => ({
    interface: on,
    subnet_cidr,
    ranges,
    gateway,
    dns_servers,
    ntp_servers,
    lease_time,
    domain,
    enabled,
  }),
  async settle(tx, next, before) {
    const surroundings = await readSurroundings(tx);
    const timed = { ...next, lease_time: next.lease_time ?? surroundings.lease_time };
    const scope = settleSubnet(timed, before, surroundings);
    refuseOverlap(scope, surroundings.scopes);
    await requireServed(tx, surroundings, { ...surroundings, scopes: withScope(surroundings, scope) });
    return scope;
  },
  deletable: refuseUncovering,
  async saved(tx, scope, before, shell) {
    if (before && scope.enabled && scope.domain !== before.domain) await renameRegistered(tx, shell, scope);
  },
};

/** The scopes as they will be, in their order. */
function withScope({ scopes }: Surroundings, scope: DhcpScope): Surroundings['scopes'] {
  const at = scopes.findIndex(({ id }) => id === scope.id);
  return at < 0 ? [...scopes, scope] : scopes.with(at, scope);
}

/** Also for a scope that is off: without any scope the legacy binding is in force again. */
async function refuseUncovering(tx: Transaction, { id }: DhcpScope): Promise<void> {
  const surroundings = await readSurroundings(tx);
  const scopes = surroundings.scopes.filter((scope) => scope.id !== id);
  await requireServed(tx, surroundings, { ...surroundings, scopes });
}
