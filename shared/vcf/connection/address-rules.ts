// Addresses that the appliance never connects to for a caller: its own, link-local ones, and fixed addresses of cloud
// services. An IPv6 address that maps to an IPv4 address has to pass the rules for both.
import {
  type Address,
  addressOf,
  type Cidr,
  contains,
  isLoopback,
  parseAddress,
  parseCidr,
} from '../../ground/addresses/address.ts';

/** Rule → why such an address is refused. */
export const ADDRESS_RULES = {
  'own-address': 'it is an address of this appliance',
  metadata: 'it is a cloud’s metadata service',
  loopback: 'it is a loopback address',
  unspecified: 'it is the unspecified address',
  'link-local': 'it is a link-local address',
  multicast: 'it is a multicast address',
  broadcast: 'it is a broadcast address',
  reserved: 'it is in a reserved block',
  transition: 'it is translated to an unknown IPv4 address',
} as const;
export type AddressRule = keyof typeof ADDRESS_RULES;

/** Label of the field that lifts the rules, on the page of the settings of remote machines. */
export const PERMITTED_NETWORKS = 'Permitted networks';

/** What the settings refuse beyond the fixed rules, and what they permit. */
export interface TargetPolicy {
  /** Addresses of this appliance, each with the prefix of its network: the broadcast address belongs to it. */
  own: readonly Cidr[];
  /** Ports of its own listeners: at a loopback address they are the appliance itself too. */
  ports: readonly number[];
  /** Networks of the settings that lift the rules for the addresses in them. */
  allowed: readonly Cidr[];
}

/**
 * Metadata services outside of link-local space too: AWS (fd00:ec2::/32), Alibaba (100.100.100.200), Azure's wire
 * server (168.63.129.16), Oracle (192.0.0.192), Google (fd20:ce::254), Scaleway (fd00:42::42).
 */
const METADATA = [
  ...['169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32', '100.100.100.200/32', '168.63.129.16/32'],
  ...['192.0.0.192/32', 'fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:42::42/128', 'fe80::a9fe:a9fe/128'],
];

/**
 * The first block that holds an address gives its rule (RFC 6890). Documentation networks are ordinary: labs use them.
 */
const BLOCKS: readonly (readonly [Cidr, AddressRule])[] = (
  [
    ...METADATA.map((text) => [text, 'metadata'] as const),
    ['127.0.0.0/8', 'loopback'],
    ['::1/128', 'loopback'],
    ['0.0.0.0/8', 'unspecified'],
    ['::/128', 'unspecified'],
    ['169.254.0.0/16', 'link-local'],
    ['fe80::/10', 'link-local'],
    ['224.0.0.0/4', 'multicast'],
    ['ff00::/8', 'multicast'],
    ['255.255.255.255/32', 'broadcast'],
    ['240.0.0.0/4', 'reserved'],
    // The translator decides at which position the IPv4 address is (RFC 8215, RFC 6052).
    ['64:ff9b:1::/48', 'transition'],
  ] as const
).map(([text, rule]) => [parseCidr(text)!, rule]);

const low32 = (value: bigint): bigint => value & 0xffff_ffffn;

/** IPv6 forms of IPv4 addresses: their networks, and the IPv4 addresses that they map to. */
const EMBEDDING: readonly { holds(value: bigint): boolean; inner(value: bigint): bigint[] }[] = [
  // IPv4-mapped ::ffff:0:0/96, IPv4-compatible ::/96 (RFC 4291), IPv4-translated ::ffff:0:0:0/96 (RFC 2765).
  { holds: (value) => value >> 32n === 0xffffn, inner: (value) => [low32(value)] },
  { holds: (value) => value >> 32n === 0n, inner: (value) => [low32(value)] },
  { holds: (value) => value >> 32n === 0xffff_0000n, inner: (value) => [low32(value)] },
  // NAT64 64:ff9b::/96 (RFC 6052).
  { holds: (value) => value >> 32n === 0x0064_ff9bn << 64n, inner: (value) => [low32(value)] },
  // 6to4 2002::/16 (RFC 3056).
  { holds: (value) => value >> 112n === 0x2002n, inner: (value) => [low32(value >> 80n)] },
  // Teredo 2001::/32 (RFC 4380): its server, and the client with every bit turned over.
  {
    holds: (value) => value >> 96n === 0x2001_0000n,
    inner: (value) => [low32(value >> 64n), low32(value) ^ 0xffff_ffffn],
  },
  // ISATAP interface identifiers (RFC 5214), in any network.
  { holds: (value) => (low32(value >> 32n) & 0xfcff_ffffn) === 0x5efen, inner: (value) => [low32(value)] },
];

/** An address that a lookup gave: mapped ones become IPv4, as the kernel would dial them. Null for anything else. */
export function dialledAddress(text: string): Address | null {
  const plain = parseAddress(text);
  if (plain) return plain;
  const mapped = /^::ffff:(.+)$/i.exec(text)?.[1];
  if (mapped === undefined) return null;
  // The tail of a mapped address is that of the compatible one: `::` and the same 32 bits.
  const tail = parseAddress(mapped) ?? parseAddress(`::${mapped}`);
  return tail && tail.value >> 32n === 0n ? addressOf(4, tail.value) : null;
}

/** Rules that only an entry for that very address lifts: a whole network is rarely meant to hold one of these. */
export const NARROW: ReadonlySet<AddressRule> = new Set(['own-address', 'metadata']);

/**
 * The rule that refuses the address at that port, or null when it may be dialled. Pure. What lifts a rule has to hold
 * the address as it is dialled, not an IPv4 address that it stands for.
 */
export function refusingRule(
  address: Address,
  port: number,
  { own, ports, allowed }: TargetPolicy,
): AddressRule | null {
  const rule = isLoopback(address) && ports.includes(port) ? 'own-address' : ruleOf(address, own);
  if (rule === null) return null;
  const lifting = allowed.filter((network) => contains(network, address));
  return lifting.some(({ first, last }) => !NARROW.has(rule) || first === last) ? null : rule;
}

function ruleOf(address: Address, own: readonly Cidr[]): AddressRule | null {
  if (own.some((each) => isOwn(each, address))) return 'own-address';
  const block = BLOCKS.find(([network]) => contains(network, address));
  if (block) return block[1];
  if (own.some((each) => isBroadcast(each, address))) return 'broadcast';
  if (address.family === 4) return null;
  const inner = EMBEDDING.filter(({ holds }) => holds(address.value)).flatMap((form) => form.inner(address.value));
  for (const value of inner) {
    const rule = ruleOf(addressOf(4, value)!, own);
    if (rule) return rule;
  }
  return null;
}

const isOwn = ({ address }: Cidr, other: Address): boolean =>
  address.family === other.family && address.value === other.value;

/** First and last address of an IPv4 network of the appliance; a /31 and a /32 have neither (RFC 3021). */
function isBroadcast({ family, prefix, first, last }: Cidr, address: Address): boolean {
  if (family !== 4 || address.family !== 4 || prefix > 30) return false;
  return address.value === first || address.value === last;
}
