// What an archive has of the interfaces: what they shall be. What the host shows of them is found again where they are.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  interface: {
    as: 'desired',
    label: 'Interfaces',
    columns:
      'name kind mac_address parent_interface vlan_id role mode ipv4_method ipv4_cidr ipv4_gateway ipv6_enabled ipv6_cidr ipv6_gateway mtu enabled access_management_ui_enabled',
    key: 'name',
    booleans: 'ipv6_enabled enabled access_management_ui_enabled',
    interfaces: 'name parent_interface',
    left: 'driver speed_mbps observed present',
    undated: true,
  },
  former_interface: { as: 'derived' },
};
