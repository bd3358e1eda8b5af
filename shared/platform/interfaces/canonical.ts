// From what a caller wrote to what is stored: words trimmed and lower-cased, addresses canonical, empty for cleared.

import {
  type Address,
  type Family,
  isUnicast,
  isUsableHost,
  parseAddress,
  parseCidr,
} from '../../ground/addresses/address.ts';
import { type FieldError, invalid } from '../../ground/problems.ts';
import { IPV4_METHODS, type Ipv4Method, MODES, type Mode, RETIRED_ROLES, ROLES, type Role } from './interface.ts';
import type { PhysicalInterfaceUpdate } from './interface-schema.ts';

/** The desired fields of an interface, canonical; only the ones that the caller named. */
export interface CanonicalUpdate {
  role?: Role;
  mode?: Mode;
  ipv4_method?: Ipv4Method;
  ipv4_cidr?: string;
  ipv4_gateway?: string;
  ipv6_enabled?: boolean;
  ipv6_cidr?: string;
  ipv6_gateway?: string;
  mtu?: number;
  enabled?: boolean;
  access_management_ui_enabled?: boolean;
}
export type DesiredField = keyof CanonicalUpdate;

/** The value, or why the text has none. */
type Reading = { value: string } | { fault: string };

function oneOf(values: readonly string[], aliases: ReadonlyMap<string, string>, text: string): Reading {
  const word = text.trim().toLowerCase();
  const value = values.find((known) => known === word) ?? aliases.get(word);
  if (value !== undefined) return { value };
  return { fault: `Must be one of ${values.join(', ')}.` };
}

function readNewRole(text: string): Reading {
  const word = text.trim().toLowerCase();
  if (RETIRED_ROLES.has(word)) {
    return { fault: `The role ${word} was retired; use access and bind the service to the interface.` };
  }
  return oneOf(ROLES, new Map(), text);
}

const readCidr =
  (family: Family) =>
  (text: string | null): Reading => {
    const trimmed = (text ?? '').trim();
    if (trimmed === '') return { value: '' };
    const cidr = parseCidr(trimmed);
    if (!cidr) return { fault: `Must be an IPv${family} address with prefix length, such as ${EXAMPLE[family]}.` };
    if (cidr.family !== family) return { fault: `Must be an IPv${family} address; this one is IPv${cidr.family}.` };
    if (!isUnicast(cidr.address)) return { fault: 'Must be an address that one host can own.' };
    if (!isUsableHost(cidr)) return { fault: NETWORK_ADDRESS[family] };
    return { value: cidr.text };
  };

const readGateway =
  (family: Family) =>
  (text: string | null): Reading => {
    const trimmed = (text ?? '').trim();
    if (trimmed === '') return { value: '' };
    const address: Address | null = parseAddress(trimmed);
    if (address?.family !== family) return { fault: `Must be an IPv${family} address without prefix length.` };
    if (!isUnicast(address)) return { fault: 'Must be an address that one host can own.' };
    return { value: address.text };
  };

const EXAMPLE = { 4: '192.168.10.2/24', 6: 'fd00:10::2/64' } as const;
const NETWORK_ADDRESS = {
  4: 'Is the network or broadcast address of its network; give the address of the interface itself.',
  6: 'Is the subnet-router anycast address of its network (RFC 4291); give the address of the interface itself.',
} as const;

type TextField = 'role' | 'mode' | 'ipv4_method' | 'ipv4_cidr' | 'ipv4_gateway' | 'ipv6_cidr' | 'ipv6_gateway';
const NONE: ReadonlyMap<string, string> = new Map();
const READERS: Record<TextField, (text: string | null) => Reading> = {
  role: (text) => readNewRole(text ?? ''),
  mode: (text) => oneOf(MODES, new Map([['routed', 'access']]), text ?? ''),
  ipv4_method: (text) => oneOf(IPV4_METHODS, NONE, text ?? ''),
  ipv4_cidr: readCidr(4),
  ipv4_gateway: readGateway(4),
  ipv6_cidr: readCidr(6),
  ipv6_gateway: readGateway(6),
};

/**
 * Makes an update canonical. It must have passed its schema.
 * @throws Problem 422 with one pointer for each field that can't be read.
 */
export function canonicalUpdate(update: PhysicalInterfaceUpdate): CanonicalUpdate {
  const errors: FieldError[] = [];
  const fields: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(update)) {
    if (given === undefined) continue;
    if (!(field in READERS)) {
      fields[field] = given;
      continue;
    }
    const reading = READERS[field as TextField](given as string | null);
    if ('fault' in reading) errors.push({ pointer: `/${field}`, detail: reading.fault });
    else fields[field] = reading.value;
  }
  if (errors.length > 0) throw invalid(...errors);
  return fields as CanonicalUpdate;
}
