// The rules of an interface edit, one named row each: consequences of a change, and values that an edit may not leave.
// A rule is checked only when one of its fields changes, so that a partial edit never fails by an unrelated stale
// value. conflicts.ts has the conflicts with other interfaces.

import {
  contains,
  firstKeepable,
  isLinkLocal,
  isUsableHost,
  parseAddress,
  parseCidr,
} from '../../ground/addresses/address.ts';
import type { FieldError } from '../../ground/problems.ts';
import type { CanonicalUpdate, DesiredField } from './canonical.ts';
import { type NetworkInterface, NO_ROLE } from './interface.ts';
import type { Lease } from './lease.ts';

/** An edit: the saved row, the values that the caller named, the row after it, and all other interfaces. */
export interface Edit {
  current: NetworkInterface;
  named: CanonicalUpdate;
  next: NetworkInterface;
  others: readonly NetworkInterface[];
  /** What the link has now; without it the last observation counts. */
  lease?: Lease | undefined;
  /** A new row: every rule is checked. */
  fresh?: boolean;
}

export interface Consequence {
  name: string;
  about: readonly DesiredField[];
  apply(edit: Edit): CanonicalUpdate;
}

export interface FieldRule {
  name: string;
  about: readonly DesiredField[];
  check(edit: Edit): FieldError[];
}

/** Minimum link MTU of IPv6 (RFC 8200, section 5); below it the kernel drops every IPv6 address of the link. */
const IPV6_MINIMUM_MTU = 1280;
/**
 * A DHCP message of 576 bytes, which every client must be able to receive (RFC 2131, section 2), with UDP and IPv4
 * headers.
 */
const DHCP_MINIMUM_MTU = 604;

export function touches(edit: Edit, about: readonly DesiredField[]): boolean {
  if (edit.fresh) return true;
  return about.some((field) => edit.next[field] !== edit.current[field] || namedAnew(edit, field));
}

const namedAnew = (edit: Edit, field: DesiredField): boolean =>
  edit.named[field] !== undefined && edit.named[field] !== edit.current[field];

/** The pointer to the first of these fields that the caller named, so that the refusal is at what was sent. */
const pointTo = (edit: Edit, ...fields: [DesiredField, ...DesiredField[]]): string =>
  `/${fields.find((field) => namedAnew(edit, field)) ?? fields[0]}`;

const mayExposeUi = (row: NetworkInterface): boolean => row.role === 'access' && row.mode === 'access';
const unchanged = (edit: Edit, field: DesiredField): boolean => edit.next[field] === edit.current[field];

/** From dhcp to static where an address is needed and none was named; an empty address means that none is wanted. */
const leavesDhcp = ({ current, named, next }: Edit): boolean =>
  current.ipv4_method === 'dhcp' &&
  next.ipv4_method === 'static' &&
  named.ipv4_cidr === undefined &&
  next.mode === 'access' &&
  next.role !== 'unused';

/** The address and gateway that DHCP gave, as far as they can be saved. */
function given({ current, named, lease = current.observed ?? undefined }: Edit): CanonicalUpdate {
  const cidr = firstKeepable(lease?.ipv4_cidrs ?? []);
  if (!cidr) return {};
  const { ipv4_gateway = '' } = lease ?? {};
  const keeps = named.ipv4_gateway === undefined && gatewayFault(cidr.text, ipv4_gateway) === null;
  return { ipv4_cidr: cidr.text, ...(keeps && { ipv4_gateway }) };
}

/** In order: a later consequence sees the values of earlier ones. */
export const CONSEQUENCES: readonly Consequence[] = [
  {
    name: 'switching to trunk clears role, both families and the management flag',
    about: ['mode'],
    apply: ({ next }) => (next.mode !== 'trunk' ? {} : { ...NO_ROLE, access_management_ui_enabled: false }),
  },
  {
    name: 'switching to dhcp clears the IPv4 CIDR and gateway',
    about: ['ipv4_method'],
    apply: ({ next }) => (next.ipv4_method === 'dhcp' ? { ipv4_cidr: '', ipv4_gateway: '' } : {}),
  },
  {
    name: 'static after dhcp keeps the address and gateway that DHCP gave',
    about: ['ipv4_method'],
    apply: (edit) => (leavesDhcp(edit) ? given(edit) : {}),
  },
  {
    name: 'an IPv6 CIDR turns IPv6 on unless the caller says otherwise',
    about: ['ipv6_cidr'],
    apply: ({ next, named }) =>
      next.ipv6_cidr !== '' && next.mode !== 'trunk' && named.ipv6_enabled === undefined ? { ipv6_enabled: true } : {},
  },
  {
    name: 'a VLAN has IPv6 when it has an IPv6 CIDR',
    about: ['ipv6_cidr'],
    apply: ({ next }) => (next.kind === 'vlan' ? { ipv6_enabled: next.ipv6_cidr !== '' } : {}),
  },
  {
    name: 'IPv6 off clears the saved IPv6 CIDR and gateway',
    about: ['ipv6_enabled'],
    apply: (edit) => {
      if (edit.next.ipv6_enabled) return {};
      return {
        ...(unchanged(edit, 'ipv6_cidr') && { ipv6_cidr: '' }),
        ...(unchanged(edit, 'ipv6_gateway') && { ipv6_gateway: '' }),
      };
    },
  },
  {
    name: 'a gateway goes with its cleared address',
    about: ['ipv4_cidr', 'ipv6_cidr'],
    apply: (edit) => {
      const { next } = edit;
      const v4 = next.ipv4_cidr === '' && unchanged(edit, 'ipv4_gateway');
      const v6 = next.ipv6_cidr === '' && unchanged(edit, 'ipv6_gateway') && !isLinkLocalText(next.ipv6_gateway);
      return { ...(v4 && { ipv4_gateway: '' }), ...(v6 && { ipv6_gateway: '' }) };
    },
  },
  {
    name: 'management to access keeps the management UI',
    about: ['role'],
    apply: ({ current, next, named }) =>
      current.role === 'management' && mayExposeUi(next) && named.access_management_ui_enabled === undefined
        ? { access_management_ui_enabled: true }
        : {},
  },
  {
    name: 'the management flag goes without access role and access mode',
    about: ['role', 'mode', 'access_management_ui_enabled'],
    apply: ({ next }) => (mayExposeUi(next) ? {} : { access_management_ui_enabled: false }),
  },
];

function isLinkLocalText(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && isLinkLocal(address);
}

function gatewayFault(cidrText: string, gatewayText: string): string | null {
  const gateway = parseAddress(gatewayText);
  if (gatewayText === '' || !gateway) return null;
  const cidr = parseCidr(cidrText);
  if (cidr?.address.text === gateway.text) return "A gateway must not be the interface's own address.";
  if (gateway.family === 6 && isLinkLocal(gateway)) return null;
  if (!cidr) return `A gateway needs an IPv${gateway.family} CIDR on the interface.`;
  if (!contains(cidr, gateway)) return 'The gateway must be inside the network of the interface.';
  return isUsableHost(cidr, gateway) ? null : 'The gateway must be a host address of the network.';
}

const TRUNK_FIELDS = Object.keys(NO_ROLE) as (keyof typeof NO_ROLE)[];

/** Faults of values after an edit: 422. All rules are checked, so that one answer names every fault. */
export const FIELD_RULES: readonly FieldRule[] = [
  {
    name: 'a trunk carries no role and no addresses of its own',
    about: [...TRUNK_FIELDS, 'mode'],
    check: ({ next }) =>
      next.mode !== 'trunk'
        ? []
        : TRUNK_FIELDS.filter((field) => next[field] !== NO_ROLE[field]).map((field) => ({
            pointer: `/${field}`,
            detail: 'A trunk carries no role and no addresses of its own; set mode to access with it, or use a VLAN.',
          })),
  },
  {
    name: 'dhcp only with the management role',
    about: ['ipv4_method', 'role'],
    check: (edit) =>
      edit.next.ipv4_method === 'dhcp' && edit.next.role !== 'management' && edit.next.mode !== 'trunk'
        ? [
            {
              pointer: pointTo(edit, 'ipv4_method', 'role'),
              detail: 'DHCP is possible on the management role only; set ipv4_method to static.',
            },
          ]
        : [],
  },
  {
    name: 'dhcp takes no IPv4 CIDR or gateway',
    about: ['ipv4_method', 'ipv4_cidr', 'ipv4_gateway'],
    check: ({ next }) =>
      (['ipv4_cidr', 'ipv4_gateway'] as const)
        .filter((field) => next.ipv4_method === 'dhcp' && next[field] !== '')
        .map((field) => ({
          pointer: `/${field}`,
          detail: 'DHCP gives this value; set ipv4_method to static with it.',
        })),
  },
  {
    name: 'static after dhcp needs an address',
    about: ['ipv4_method'],
    check: (edit) =>
      leavesDhcp(edit) && edit.next.ipv4_cidr === ''
        ? [
            {
              pointer: '/ipv4_cidr',
              detail:
                'DHCP gave no address that could be kept: give one with prefix length, such as 192.168.10.2/24, or stay with dhcp. For no IPv4 address, send it empty; on the page, type none.',
            },
          ]
        : [],
  },
  {
    name: 'IPv6 values need IPv6',
    about: ['ipv6_enabled', 'ipv6_cidr', 'ipv6_gateway'],
    check: ({ next }) =>
      (['ipv6_cidr', 'ipv6_gateway'] as const)
        .filter((field) => !next.ipv6_enabled && next.mode !== 'trunk' && next[field] !== '')
        .map((field) => ({ pointer: `/${field}`, detail: 'IPv6 is off on this interface; set ipv6_enabled with it.' })),
  },
  {
    name: 'an IPv4 gateway is on-link and not the own address',
    about: ['ipv4_cidr', 'ipv4_gateway'],
    check: ({ next }) => {
      const fault = next.ipv4_method === 'dhcp' ? null : gatewayFault(next.ipv4_cidr, next.ipv4_gateway);
      return fault === null ? [] : [{ pointer: '/ipv4_gateway', detail: fault }];
    },
  },
  {
    name: 'an IPv6 gateway is on-link or link-local and not the own address',
    about: ['ipv6_cidr', 'ipv6_gateway'],
    check: ({ next }) => {
      const fault = next.ipv6_enabled ? gatewayFault(next.ipv6_cidr, next.ipv6_gateway) : null;
      return fault === null ? [] : [{ pointer: '/ipv6_gateway', detail: fault }];
    },
  },
  {
    name: "a management interface can't be disabled",
    about: ['enabled', 'role'],
    check: (edit) =>
      edit.next.role === 'management' && !edit.next.enabled
        ? [
            {
              pointer: pointTo(edit, 'enabled', 'role'),
              detail: 'A management interface must stay enabled; give it another role first, or enable it.',
            },
          ]
        : [],
  },
  {
    name: 'the management flag needs access role and access mode',
    about: ['access_management_ui_enabled', 'role', 'mode'],
    check: ({ next, named }) => {
      const wanted = named.access_management_ui_enabled === true || next.access_management_ui_enabled;
      const ignored = next.role === 'management' && next.kind === 'physical';
      if (!wanted || ignored || mayExposeUi(next)) return [];
      const detail = 'Valid only on an access-role interface in access mode.';
      return [{ pointer: '/access_management_ui_enabled', detail }];
    },
  },
  {
    name: 'IPv6 needs an MTU of 1280',
    about: ['mtu', 'ipv6_cidr', 'ipv6_enabled'],
    check: (edit) =>
      // Addresses from router advertisements count, too: systemd-networkd would raise the MTU by itself.
      (edit.next.ipv6_enabled || edit.next.ipv6_cidr !== '') && edit.next.mtu < IPV6_MINIMUM_MTU
        ? [
            {
              pointer: pointTo(edit, 'mtu', 'ipv6_cidr', 'ipv6_enabled'),
              detail: 'IPv6 needs an MTU of at least 1280 (RFC 8200).',
            },
          ]
        : [],
  },
  {
    name: 'DHCP needs an MTU of 604',
    about: ['mtu', 'ipv4_method'],
    check: (edit) =>
      edit.next.ipv4_method === 'dhcp' && edit.next.mtu < DHCP_MINIMUM_MTU
        ? [
            {
              pointer: pointTo(edit, 'mtu', 'ipv4_method'),
              detail: 'DHCP needs an MTU of at least 604, its smallest message with headers (RFC 2131).',
            },
          ]
        : [],
  },
  {
    name: "a VLAN's MTU fits its parent",
    about: ['mtu'],
    check: ({ next, others }) => {
      const parent = others.find((other) => other.name === next.parent_interface);
      if (!parent || next.mtu <= parent.mtu) return [];
      return [{ pointer: '/mtu', detail: `Must not be larger than the MTU of ${parent.name}, ${parent.mtu}.` }];
    },
  },
  {
    name: 'a VLAN has at least one CIDR',
    about: ['ipv4_cidr', 'ipv6_cidr'],
    check: (edit) =>
      edit.next.kind === 'vlan' && edit.next.ipv4_cidr === '' && edit.next.ipv6_cidr === ''
        ? [{ pointer: pointTo(edit, 'ipv4_cidr', 'ipv6_cidr'), detail: 'A VLAN needs an IPv4 or an IPv6 CIDR.' }]
        : [],
  },
];
