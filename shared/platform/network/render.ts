// The systemd-networkd files of the appliance: one .network for each configured interface, one .netdev for each VLAN.
// systemd.network(5), systemd.netdev(5), as of systemd 252.

import { formatAddress, parseCidr } from '../../ground/addresses/address.ts';
import type { RenderedFile } from '../../ground/machine/host.ts';
import { NETWORK_FOLDER } from '../host/networkd.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';
import { forwarding, routing } from './forwarding.ts';

// Before the distribution's defaults (80-…), after files with which an administrator overrides (10-…).
const ORDER = '40-groundcrew';
const HEADER = '# Written by Groundcrew from its desired state; changes are overwritten by the next apply.';
/** Metric of the first default route, that of the management interface; each further one is one higher. */
const FIRST_METRIC = 100;
/** Longest name of a Linux link. A row whose link is gone may have a longer one: no link will ever match its file. */
const LONGEST_NAME = 15;

export type Section = readonly [title: string, lines: readonly (string | false)[]];

export function render(desired: NetworkDesired): RenderedFile[] {
  const up = enabled(desired);
  const metrics = routeMetrics(up);
  return configured(desired)
    .filter((row) => row.name.length <= LONGEST_NAME)
    .flatMap((row) => {
      const isUp = up.includes(row);
      const vlans = up.filter((other) => other.parent_interface === row.name && other.name.length <= LONGEST_NAME);
      const sections = isUp ? upSections(row, vlans, metrics.get(row.name) ?? FIRST_METRIC) : downSections(row);
      const network = file(row, 'network', sections);
      return row.kind === 'vlan' && isUp ? [file(row, 'netdev', vlanSections(row)), network] : [network];
    });
}

/** Two default routes of one metric would replace each other in IPv4 and share the load in IPv6. */
function routeMetrics(up: readonly NetworkInterface[]): Map<string, number> {
  const ordered = up
    .filter((row) => row.ipv4_gateway !== '' || row.ipv6_gateway !== '' || row.ipv4_method === 'dhcp' || isSlaac(row))
    .sort((a, b) => Number(b.role === 'management') - Number(a.role === 'management'));
  return new Map(ordered.map((row, index) => [row.name, FIRST_METRIC + index]));
}

const isSlaac = (row: NetworkInterface): boolean => row.ipv6_enabled && row.ipv6_cidr === '';

function file(row: NetworkInterface, suffix: string, sections: readonly Section[]): RenderedFile {
  const blocks = sections
    .map(([title, lines]) => [`[${title}]`, ...lines.filter((line) => line !== false)])
    .filter((block) => block.length > 1)
    .map((block) => block.join('\n'));
  return {
    path: `${NETWORK_FOLDER}/${ORDER}-${row.name}.${suffix}`,
    content: `${[HEADER, ...blocks].join('\n\n')}\n`,
    mode: 0o644,
  };
}

/**
 * networkd would compute the broadcast address, but only after comparing the address with that of the link: without
 * this line it removes every IPv4 address for 10 ms whenever it configures the link again.
 */
function broadcast(text: string): string | false {
  const cidr = parseCidr(text);
  return cidr !== null && cidr.prefix < 31 && `Broadcast=${formatAddress(4, cidr.last)}`;
}

const vlanSections = (row: NetworkInterface): Section[] => [
  ['NetDev', [`Name=${row.name}`, 'Kind=vlan', `MTUBytes=${row.mtu}`]],
  ['VLAN', [`Id=${row.vlan_id}`]],
];

const downSections = (row: NetworkInterface): Section[] => [
  ['Match', [`Name=${row.name}`]],
  ['Link', ['ActivationPolicy=always-down', 'RequiredForOnline=no']],
];

function upSections(row: NetworkInterface, vlans: readonly NetworkInterface[], metric: number): Section[] {
  const address = (cidr: string): Section => [
    'Address',
    // Services bind to the address right after, which duplicate address detection would delay.
    cidr === '' ? [] : [`Address=${cidr}`, cidr.includes(':') ? 'DuplicateAddressDetection=none' : broadcast(cidr)],
  ];
  const route = (gateway: string): Section => [
    'Route',
    // On-link: the gateway's network may have no carrier yet.
    gateway === '' ? [] : [`Gateway=${gateway}`, 'GatewayOnLink=yes', `Metric=${metric}`],
  ];
  return [
    ['Match', [`Name=${row.name}`]],
    ['Link', [`MTUBytes=${row.mtu}`, row.role !== 'management' && 'RequiredForOnline=no']],
    [
      'Network',
      [
        `DHCP=${row.ipv4_method === 'dhcp' ? 'ipv4' : 'no'}`,
        `LinkLocalAddressing=${row.ipv6_enabled ? 'ipv6' : 'no'}`,
        `IPv6AcceptRA=${isSlaac(row) ? 'yes' : 'no'}`,
        // Services bind to the addresses at boot, whether or not a cable is plugged in by then.
        'ConfigureWithoutCarrier=yes',
        ...forwarding(row),
        ...vlans.map((vlan) => `VLAN=${vlan.name}`),
      ],
    ],
    address(row.ipv4_cidr),
    address(row.ipv6_cidr),
    route(row.ipv4_gateway),
    route(row.ipv6_gateway),
    ...routing(row),
    ['DHCPv4', [row.ipv4_method === 'dhcp' && `RouteMetric=${metric}`]],
    ['IPv6AcceptRA', [isSlaac(row) && `RouteMetric=${metric}`]],
  ];
}
