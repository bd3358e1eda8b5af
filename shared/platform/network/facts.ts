// The network as facts: what each configured interface gets. The name of a fact is that of its interface.
import type { NetworkInterface } from '../interfaces/interface.ts';
import { effectiveManagementListeners } from '../interfaces/management-listener.ts';
import { type Data, type Facts, factsOf, nameOf, sameData } from '../units/facts.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';

export type NetworkFacts = {
  enabled: boolean;
  role: NetworkInterface['role'];
  mode: NetworkInterface['mode'];
  vlan: { id: number; parent: string };
  ipv4_method: 'dhcp';
  ipv4_cidr: string;
  ipv4_gateway: string;
  /** Null: from router advertisements. */
  ipv6_cidr: string | null;
  ipv6_gateway: string;
  mtu: number;
  management_ui: true;
};
export type NetworkFact = keyof NetworkFacts;

export const network = factsOf<NetworkFacts>();

type Read<V> = (row: NetworkInterface, exposed: ReadonlySet<string>) => V | undefined;

/** The value of each fact, in the order of the review; undefined where the interface has none. */
const READS: { [K in Exclude<NetworkFact, 'enabled'>]: Read<NetworkFacts[K]> } = {
  role: (row) => (row.mode === 'trunk' ? undefined : row.role),
  mode: (row) => (row.kind === 'physical' ? row.mode : undefined),
  vlan: (row) => (row.kind === 'vlan' ? { id: row.vlan_id!, parent: row.parent_interface! } : undefined),
  ipv4_method: (row) => (row.ipv4_method === 'dhcp' ? 'dhcp' : undefined),
  ipv4_cidr: (row) => row.ipv4_cidr || undefined,
  ipv4_gateway: (row) => row.ipv4_gateway || undefined,
  ipv6_cidr: (row) => row.ipv6_cidr || (row.ipv6_enabled ? null : undefined),
  ipv6_gateway: (row) => row.ipv6_gateway || undefined,
  mtu: (row) => row.mtu,
  management_ui: (row, exposed) => exposed.has(row.name) || undefined,
};

/** A disabled interface has no other facts. */
export function facts(desired: NetworkDesired): Facts {
  const up = new Set(enabled(desired));
  const exposed = new Set(effectiveManagementListeners(desired.interfaces).map((listener) => listener.interface));
  const { facts: found, add } = network.list();
  for (const row of configured(desired)) {
    add('enabled', up.has(row), row.name);
    if (!up.has(row)) continue;
    for (const [kind, read] of Object.entries(READS) as [NetworkFact, Read<never>][]) {
      const value = read(row, exposed);
      if (value !== undefined) add(kind, value, row.name);
    }
  }
  return found;
}

export type InterfaceFacts = Partial<NetworkFacts>;

export const sameInterface = (one: InterfaceFacts | undefined, other: InterfaceFacts | undefined): boolean =>
  sameData(one as Data | undefined, other as Data | undefined);

/** The facts by interface. */
export function byInterface(all: Facts | null): Map<string, InterfaceFacts> {
  const interfaces = new Map<string, Record<string, Data>>();
  for (const [key, value] of all ?? []) {
    const name = nameOf(key);
    const own = interfaces.get(name) ?? {};
    own[key.slice(0, -name.length - 1)] = value;
    interfaces.set(name, own);
  }
  return interfaces as Map<string, InterfaceFacts>;
}

const FORMER: Readonly<Record<string, (value: string) => Data>> = {
  enabled: (value) => value === 'yes',
  vlan: (value) => {
    const [id, , parent = ''] = value.split(' ');
    return { id: Number(id), parent };
  },
  ipv6_cidr: (value) => (value === 'from router advertisements' ? null : value),
  mtu: Number,
  management_ui: () => true,
};

/** From the words of the release before facts: `ens192 ipv4_cidr` → `10.0.0.1/24`. */
export function fromWords(words: ReadonlyMap<string, string>): Facts {
  return new Map(
    [...words].map(([setting, value]): [string, Data] => {
      const [name, kind = ''] = setting.split(' ');
      const read = FORMER[kind];
      return [`${kind} ${name}`, read ? read(value) : value];
    }),
  );
}
