// Interfaces and VLANs as the API shows them, and what an edit did to one.
import * as v from 'valibot';
import {
  component,
  described,
  instantSchema,
  integerSchema,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { UNIT_IDS } from '../unit-names.ts';
import type { CanonicalUpdate, DesiredField } from './canonical.ts';
import { IPV4_METHODS, MODES, type NetworkInterface, ROLES } from './interface.ts';

/** Desired properties in reading order; a physical interface has all of them, a VLAN some. */
const DESIRED = Object.keys({
  role: true,
  mode: true,
  enabled: true,
  access_management_ui_enabled: true,
  mtu: true,
  ipv4_method: true,
  ipv4_cidr: true,
  ipv4_gateway: true,
  ipv6_enabled: true,
  ipv6_cidr: true,
  ipv6_gateway: true,
} satisfies Record<keyof Required<CanonicalUpdate>, true>) as DesiredField[];

const mtu = described(integerSchema, 'Largest packet in bytes.');
const observed = component(
  'ObservedLink',
  v.pipe(
    v.object({
      ipv4_cidrs: described(v.array(v.string()), 'IPv4 addresses with prefix length.'),
      ipv6_cidrs: described(v.array(v.string()), 'IPv6 addresses with prefix length.'),
      mtu: mtu,
      link: described(v.picklist(['up', 'down']), 'Whether the link has a carrier.'),
    }),
    v.description('What the host last reported, link-local addresses left out. Taken at the last refresh.'),
  ),
);

const value = v.union([v.string(), v.number(), v.boolean()]);
const subject = {
  unit: v.pipe(v.picklist(UNIT_IDS), v.description('Unit that the value belongs to.')),
  subject: v.pipe(v.string(), v.description('What it belongs to, in words: `DHCP scope lab`.')),
  page: v.pipe(v.string(), v.description('Page of the management UI where it is edited.')),
};

/** Values that an answer lists. */
export const MOVES_MOST = 200;
export const CHANGED = v.array(
  v.object({
    property: described(v.picklist(DESIRED as readonly string[]), 'Name of the property.'),
    from: described(value, 'Value before.'),
    to: described(value, 'Value after.'),
  }),
);
/** What follows an edit of interfaces. */
export const FOLLOWED = {
  refreshed_units: v.pipe(
    v.array(v.picklist(UNIT_IDS)),
    v.description('Units whose desired state followed in the same transaction, in the order of an apply.'),
  ),
  moves: v.pipe(
    v.array(
      v.object({
        ...subject,
        property: text('Name of the property, or type of the record.'),
        from: text('Value before.'),
        to: text('Value after.'),
      }),
    ),
    v.description(
      `Values of services, scopes, reservations, datastores, hosts and records that followed; the first ${MOVES_MOST}.`,
    ),
  ),
  moves_total: v.pipe(integerSchema, v.description('How many values followed, listed or not.')),
  deselected: v.pipe(
    v.array(v.object({ ...subject, interface: text('Name of the interface that was deselected.') })),
    v.description('Selections that went because their interface can no longer carry them; others remain.'),
  ),
  notes: v.pipe(
    v.array(v.string()),
    v.description(
      'What does not follow and is worth a look: lists of clients that name a network which moved, records of operators, upstream servers whose reservation moves, an address that DHCP gave and that is kept.',
    ),
  ),
};

const impact = component(
  'InterfaceImpact',
  v.pipe(
    v.object({
      changed: v.pipe(
        CHANGED,
        v.description('Saved properties that changed, those that followed a named one included. Empty for a no-op.'),
      ),
      ...FOLLOWED,
    }),
    v.description('What the mutation changed, or with dry_run would change. Only in answers to mutations.'),
  ),
);
export type InterfaceImpact = v.InferOutput<typeof impact>;

const nothing = 'Empty when there is none.';
const address = {
  ipv4_cidr: text(`Desired IPv4 address with prefix length. ${nothing}`),
  ipv6_cidr: text(`Desired IPv6 address with prefix length. ${nothing}`),
};
const shared = {
  role: described(
    v.picklist(ROLES),
    'What it is for. management: the management UI. access: services. route: services and forwarding. unused: nothing.',
  ),
  mtu,
  enabled: described(v.boolean(), 'Administrative state: whether the link is up.'),
  access_management_ui_enabled: described(
    v.boolean(),
    'Whether the management UI answers here although the role is access.',
  ),
  observed: described(v.nullable(observed), 'What the host last reported; null while it never did.'),
  present: described(
    v.boolean(),
    'False when the link has vanished from the host; the row is kept until it is deleted.',
  ),
  revision: revisionSchema,
  updated_at: instantSchema,
  impact: v.optional(impact),
};

export const physicalInterface = component(
  'PhysicalInterfaceResponse',
  v.object({
    name: text('Name of the link on the host; the identifier in paths.'),
    mac_address: text('Lower case, colon separated.'),
    driver: described(
      v.nullable(v.string()),
      'Driver of the adapter, such as vmxnet3; null where the host does not say.',
    ),
    speed_mbps: v.pipe(v.nullable(integerSchema), v.description('Null while the link is down or does not say.')),
    mode: described(v.picklist(MODES), 'access: has addresses of its own. trunk: carries VLANs, and nothing else.'),
    ipv4_method: described(v.picklist(IPV4_METHODS), 'Where the IPv4 address comes from.'),
    ...address,
    ipv4_gateway: text(`IPv4 default gateway. ${nothing}`),
    ipv6_enabled: described(v.boolean(), 'Whether it has IPv6; without an ipv6_cidr by router advertisement.'),
    ipv6_gateway: text(`IPv6 default gateway. ${nothing}`),
    ...shared,
  }),
);
export type PhysicalInterface = v.InferOutput<typeof physicalInterface>;
export const physicalInterfaceList = listOf('PhysicalInterfaceList', physicalInterface);

export const vlan = component(
  'VlanResponse',
  v.object({
    id: text('Opaque identifier; the identifier in paths.'),
    name: text('Name of the link: parent, dot, number.'),
    parent_interface: text('Name of the physical interface that carries it.'),
    vlan_id: v.pipe(integerSchema, v.description('802.1Q number.')),
    ...address,
    ...shared,
  }),
);
export type Vlan = v.InferOutput<typeof vlan>;
export const vlanList = listOf('VlanList', vlan);

export const interfaceRefresh = component(
  'InterfaceRefresh',
  v.object({
    refreshed_units: v.pipe(v.array(v.picklist(UNIT_IDS)), v.description('Units whose settings followed.')),
    changed: v.pipe(integerSchema, v.description('Rows that differed from the host; 0 when it is as it was.')),
    added: v.pipe(v.array(v.string()), v.description('Names of interfaces that are new.')),
    vanished: v.pipe(v.array(v.string()), v.description('Names of interfaces that are gone; their settings are kept.')),
    renamed: v.pipe(
      v.array(v.string()),
      v.description('`old to new`: the same adapter under a new name keeps its settings and VLANs.'),
    ),
  }),
);

/** The answer for a physical interface; `impact` after a mutation. */
export function physicalView(row: NetworkInterface, impact?: InterfaceImpact): PhysicalInterface {
  return pick(row, physicalInterface.entries, impact) as unknown as PhysicalInterface;
}

/** The answer for a VLAN; `impact` after a mutation. */
export function vlanView(row: NetworkInterface, impact?: InterfaceImpact): Vlan {
  return pick(row, vlan.entries, impact) as unknown as Vlan;
}

function pick(row: NetworkInterface, entries: object, impact: InterfaceImpact | undefined) {
  const names = Object.keys(entries).filter((name) => name !== 'impact') as (keyof NetworkInterface)[];
  return { ...Object.fromEntries(names.map((name) => [name, row[name]])), ...(impact && { impact }) };
}

/** Desired properties that differ between two versions of an interface. */
export function changesBetween(before: NetworkInterface, after: NetworkInterface): InterfaceImpact['changed'] {
  return DESIRED.filter((property) => before[property] !== after[property]).map((property) => ({
    property,
    from: before[property],
    to: after[property],
  }));
}
