// What people read of the network's facts.
import { viewOf, type WordsOf } from '../units/facts.ts';
import type { NetworkFacts } from './facts.ts';

/** Kind → its value in words. */
export const VALUES = {
  enabled: (value: boolean) => (value ? 'yes' : 'no'),
  role: String,
  mode: String,
  vlan: ({ id, parent }: NetworkFacts['vlan']) => `${id} on ${parent}`,
  ipv4_method: String,
  ipv4_cidr: String,
  ipv4_gateway: String,
  ipv6_cidr: (value: string | null) => value ?? 'from router advertisements',
  ipv6_gateway: String,
  mtu: String,
  management_ui: () => 'exposed',
} satisfies { [K in keyof NetworkFacts]: (value: NetworkFacts[K]) => string };

/** Kind → the setting's name. */
export const LABELS: Readonly<Record<keyof NetworkFacts, string>> = {
  enabled: 'enabled',
  role: 'role',
  mode: 'mode',
  vlan: 'VLAN',
  ipv4_method: 'IPv4 method',
  ipv4_cidr: 'IPv4 CIDR',
  ipv4_gateway: 'IPv4 gateway',
  ipv6_cidr: 'IPv6 CIDR',
  ipv6_gateway: 'IPv6 gateway',
  mtu: 'MTU',
  management_ui: 'management UI',
};

/** The value of one kind in words; undefined for none. */
export const valueWords = (kind: keyof NetworkFacts, value: unknown): string | undefined =>
  value === undefined ? undefined : (VALUES[kind] as (value: unknown) => string)(value);

export const WORDS = Object.fromEntries(
  (Object.keys(VALUES) as (keyof NetworkFacts)[]).map((kind) => [
    kind,
    (name: string, value: unknown) => [`${name}: ${LABELS[kind]}`, valueWords(kind, value)],
  ]),
) as unknown as WordsOf<NetworkFacts>;
export const words = viewOf(WORDS);
