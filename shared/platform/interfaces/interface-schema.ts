// The request schemas of interfaces and VLANs: names, types and bounds, all of them convertible to JSON Schema.
// Spelling is forgiven and addresses are made canonical afterwards, in canonical.ts.
import * as v from 'valibot';
import { component, listed } from '../../ground/schemas/component.ts';
import { IPV4_METHODS, MODES, ROLES } from './interface.ts';

// The document has the canonical values; canonical.ts reads other spellings.
const word = <const T extends readonly string[]>(values: T) => v.pipe(v.string(), v.maxLength(32), listed(values));

const address = v.nullable(v.pipe(v.string(), v.maxLength(64)));

const mtu = v.pipe(
  v.number('Expected a whole number from 576 to 9216.'),
  v.integer('Expected a whole number from 576 to 9216.'),
  v.minValue(576, 'Must be at least 576.'),
  v.maxValue(9216, 'Must be at most 9216.'),
  v.description('Largest packet in bytes, 576 to 9216. An interface with an IPv6 CIDR needs at least 1280 (RFC 8200).'),
);
const role = v.pipe(
  word(ROLES),
  v.description(
    'management, access, route or unused; case-insensitive. The retired values services and storage are refused.',
  ),
);
const ipv4Cidr = v.pipe(
  address,
  v.description('IPv4 address with prefix length, such as 192.168.10.2/24. An empty string or null clears it.'),
);
const ipv6Cidr = v.pipe(
  address,
  v.description('IPv6 address with prefix length, such as fd00:10::2/64. An empty string or null clears it.'),
);
const enabled = v.pipe(v.boolean(), v.description('Administrative state. A management interface cannot be disabled.'));

export const physicalInterfaceUpdate = component(
  'PhysicalInterfaceUpdate',
  v.pipe(
    v.strictObject({
      role: v.optional(role),
      mode: v.optional(
        v.pipe(
          word([...MODES, 'routed']),
          v.description(
            'access or trunk; case-insensitive. The legacy spelling routed is stored as access. Switching to trunk clears role, both address families and the management flag.',
          ),
        ),
      ),
      ipv4_method: v.optional(
        v.pipe(
          word(IPV4_METHODS),
          v.description(
            'static or dhcp; case-insensitive. dhcp is possible on the management role only and clears the IPv4 CIDR and gateway. static without ipv4_cidr keeps what DHCP gave.',
          ),
        ),
      ),
      ipv4_cidr: v.optional(ipv4Cidr),
      ipv4_gateway: v.optional(
        v.pipe(
          address,
          v.description('IPv4 default gateway inside the network of ipv4_cidr. An empty string or null clears it.'),
        ),
      ),
      ipv6_enabled: v.optional(
        v.pipe(
          v.boolean(),
          v.description(
            'IPv6 on this interface. With an empty ipv6_cidr the address comes from router advertisements.',
          ),
        ),
      ),
      ipv6_cidr: v.optional(ipv6Cidr),
      ipv6_gateway: v.optional(
        v.pipe(
          address,
          v.description(
            'IPv6 default gateway: link-local, or inside the network of ipv6_cidr. An empty string or null clears it.',
          ),
        ),
      ),
      mtu: v.optional(mtu),
      enabled: v.optional(enabled),
      access_management_ui_enabled: v.optional(
        v.pipe(
          v.boolean(),
          v.description(
            'Exposes the management UI on an access-role interface in access mode. Ignored on the management role, where the UI is always exposed.',
          ),
        ),
      ),
    }),
    v.description('Desired state of a physical interface. Omitted properties keep their saved value.'),
  ),
  {
    role: 'access',
    mode: 'access',
    ipv4_method: 'static',
    ipv4_cidr: '192.0.2.2/24',
    ipv6_enabled: true,
    ipv6_cidr: '2001:db8:10::2/64',
    mtu: 9000,
    enabled: true,
  },
);
export type PhysicalInterfaceUpdate = v.InferInput<typeof physicalInterfaceUpdate>;

const vlanFlag = v.pipe(v.boolean(), v.description('Exposes the management UI on an access-role VLAN.'));
const vlanFields = {
  ipv4_cidr: v.optional(ipv4Cidr),
  ipv6_cidr: v.optional(ipv6Cidr),
  mtu: v.optional(mtu),
  role: v.optional(role),
  enabled: v.optional(enabled),
  access_management_ui_enabled: v.optional(vlanFlag),
};

export const vlanCreate = component(
  'VlanCreate',
  v.pipe(
    v.strictObject({
      parent_interface: v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(15),
        v.description('Name of a physical interface in trunk mode.'),
      ),
      vlan_id: v.pipe(
        v.number('Expected a whole number from 1 to 4094.'),
        v.integer('Expected a whole number from 1 to 4094.'),
        v.minValue(1, 'Must be at least 1.'),
        v.maxValue(4094, 'Must be at most 4094.'),
        v.description('802.1Q VLAN number, 1 to 4094; unique on its parent.'),
      ),
      ...vlanFields,
    }),
    v.description(
      'A VLAN on a trunk; at least one CIDR is needed. Defaults: role access, enabled, MTU 1500 or that of the parent if smaller.',
    ),
  ),
  {
    parent_interface: 'ens256',
    vlan_id: 20,
    ipv4_cidr: '198.51.100.2/24',
    ipv6_cidr: '2001:db8:20::2/64',
    role: 'access',
    mtu: 1500,
  },
);
export type VlanCreate = v.InferInput<typeof vlanCreate>;

export const vlanUpdate = component(
  'VlanUpdate',
  v.pipe(
    v.strictObject(vlanFields),
    v.description('Desired state of a VLAN. Parent and number are fixed; omitted properties keep their saved value.'),
  ),
  { role: 'route', mtu: 9000 },
);
export type VlanUpdate = v.InferInput<typeof vlanUpdate>;
