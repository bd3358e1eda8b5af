// What the files of systemd-networkd may contain: sections, their settings, and the values of each. systemd.network(5),
// systemd.netdev(5), as of systemd 252.
import { between, type Is, isAddress, isCidr, isLink, type Line, oneOf } from '../host/grammar-words.ts';

/**
 * Bytes of a line (LONG_LINE_MAX): networkd refuses a file with a longer one. A backslash at the end continues a line.
 */
export const NETWORKD_PIECE = 1 << 20;

const isMtu = between(68, 65_535);
const isMetric = between(0, 4_294_967_295);
const yes = oneOf('yes');
const yesOrNo = oneOf('yes', 'no');

const SECTIONS: Readonly<Record<string, Readonly<Record<string, Is>>>> = {
  Match: { Name: isLink },
  Link: { ActivationPolicy: oneOf('always-down'), RequiredForOnline: oneOf('no'), MTUBytes: isMtu },
  Network: {
    DHCP: oneOf('ipv4', 'no'),
    LinkLocalAddressing: oneOf('ipv6', 'no'),
    IPv6AcceptRA: yesOrNo,
    ConfigureWithoutCarrier: yes,
    IPForward: yes,
    VLAN: isLink,
  },
  Address: { Address: isCidr, DuplicateAddressDetection: oneOf('none'), Broadcast: isAddress },
  Route: { Gateway: isAddress, GatewayOnLink: yes, Metric: isMetric },
  // The rules that limit forwarding, and no others.
  RoutingPolicyRule: {
    IncomingInterface: isLink,
    Table: oneOf('main'),
    Priority: oneOf('32000', '32001'),
    InvertRule: yes,
    Type: oneOf('prohibit'),
    Family: oneOf('both'),
  },
  DHCPv4: { RouteMetric: isMetric },
  IPv6AcceptRA: { RouteMetric: isMetric },
  // Links of other kinds could be given to an ordinary user.
  NetDev: { Name: isLink, Kind: oneOf('vlan'), MTUBytes: isMtu },
  VLAN: { Id: between(1, 4_094) },
};

export const isNetworkdLine: Line = (line, at) => {
  const section = /^\[(\w+)\]$/.exec(line)?.[1];
  if (section !== undefined) at.section = section;
  if (section !== undefined) return Object.hasOwn(SECTIONS, section);
  const [, setting = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
  const known = Object.hasOwn(SECTIONS, at.section) ? SECTIONS[at.section]! : {};
  return Object.hasOwn(known, setting) && known[setting]!(value);
};
