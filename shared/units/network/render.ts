// The systemd-networkd files of the appliance: one .network for each configured interface, one .netdev for each VLAN.
// systemd.network(5), systemd.netdev(5).
import type { RenderedFile } from '../../host/host.ts';
import type { NetworkInterface } from '../../network/interface.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';

const FOLDER = '/etc/systemd/network';
// Before the distribution's own defaults (80-…), after what an administrator forces (10-…).
const ORDER = '40-groundcrew';
const HEADER = '# Written by Groundcrew from its desired state; changes are overwritten by the next apply.';

type Section = readonly [title: string, lines: readonly (string | false)[]];

export function render(desired: NetworkDesired): RenderedFile[] {
  const up = enabled(desired);
  return configured(desired).flatMap((row) => {
    const isUp = up.includes(row);
    const vlans = up.filter((other) => other.parent_interface === row.name);
    const network = file(row, 'network', isUp ? upSections(row, vlans) : downSections(row));
    return row.kind === 'vlan' && isUp ? [file(row, 'netdev', vlanSections(row)), network] : [network];
  });
}

function file(row: NetworkInterface, suffix: string, sections: readonly Section[]): RenderedFile {
  const blocks = sections
    .map(([title, lines]) => [`[${title}]`, ...lines.filter((line) => line !== false)])
    .filter((block) => block.length > 1)
    .map((block) => block.join('\n'));
  return {
    path: `${FOLDER}/${ORDER}-${row.name}.${suffix}`,
    content: `${[HEADER, ...blocks].join('\n\n')}\n`,
    mode: 0o644,
  };
}

const vlanSections = (row: NetworkInterface): Section[] => [
  ['NetDev', [`Name=${row.name}`, 'Kind=vlan', `MTUBytes=${row.mtu}`]],
  ['VLAN', [`Id=${row.vlan_id}`]],
];

const downSections = (row: NetworkInterface): Section[] => [
  ['Match', [`Name=${row.name}`]],
  ['Link', ['ActivationPolicy=always-down', 'RequiredForOnline=no']],
];

function upSections(row: NetworkInterface, vlans: readonly NetworkInterface[]): Section[] {
  const slaac = row.ipv6_enabled && row.ipv6_cidr === '';
  const address = (cidr: string): Section => ['Address', [cidr !== '' && `Address=${cidr}`]];
  const route = (gateway: string): Section => ['Route', [gateway !== '' && `Gateway=${gateway}`]];
  return [
    ['Match', [`Name=${row.name}`]],
    ['Link', [`MTUBytes=${row.mtu}`, row.role !== 'management' && 'RequiredForOnline=no']],
    [
      'Network',
      [
        `DHCP=${row.ipv4_method === 'dhcp' ? 'ipv4' : 'no'}`,
        `LinkLocalAddressing=${row.ipv6_enabled ? 'ipv6' : 'no'}`,
        `IPv6AcceptRA=${slaac ? 'yes' : 'no'}`,
        // Services bind to the addresses at boot, whether or not a cable is plugged in by then.
        'ConfigureWithoutCarrier=yes',
        ...vlans.map((vlan) => `VLAN=${vlan.name}`),
      ],
    ],
    address(row.ipv4_cidr),
    address(row.ipv6_cidr),
    route(row.ipv4_gateway),
    route(row.ipv6_gateway),
  ];
}
