// Whether a plan touches the way that its operator came in on, and where the management UI is to be reached afterwards.
// Pure; need.ts gathers what goes in.
import {
  type Address,
  type Cidr,
  contains,
  isLoopback,
  networkOf,
  parseAddress,
  parseCidr,
} from '../../../ground/addresses/address.ts';
import type { NetworkInterface } from '../../../platform/interfaces/interface.ts';
import { effectiveManagementListeners } from '../../../platform/interfaces/management-listener.ts';
import { byInterface, facts, sameInterface } from '../../../platform/network/facts.ts';
import type { Plan } from '../plan.ts';

/** The two ends of a request; empty where not known. */
export interface Arrival {
  local: string;
  remote: string;
}

export interface PathQuestion {
  arrival: Arrival;
  /** Interfaces in force; null: the network was never applied. */
  before: readonly NetworkInterface[] | null;
  /** Interfaces as saved, with what was last seen of them. */
  saved: readonly NetworkInterface[];
  /** Whether the plan puts the saved interfaces in force. */
  network: boolean;
  /** Whether the plan changes the packet filter. */
  filter: boolean;
  /** Whether the plan changes the certificate of the management UI. */
  certificate?: boolean;
}

export interface Confirmation {
  /** One sentence each. */
  because: string[];
  /** Addresses of the management UI now, and once the plan is in force. */
  addresses_before: string[];
  addresses_after: string[];
}

/** What a plan touches. */
type Touching = Pick<Plan, 'changes_filter'> & { units: readonly Pick<Plan['units'][number], 'id'>[] };

/** What is asked about a plan. */
export function questionAbout(
  { units, changes_filter: filter }: Touching,
  arrival: Arrival,
  before: PathQuestion['before'],
  saved: PathQuestion['saved'],
): PathQuestion {
  const network = units.some(({ id }) => id === 'network');
  const certificate = units.some(({ id }) => id === 'management-tls');
  return { arrival, before, saved, network, filter, certificate };
}

/** A request over loopback has no path that a plan could touch. Of one whose ends are not known, nothing is. */
export function isLocal({ local, remote }: Arrival): boolean {
  const ends = [local, remote].flatMap((text) => parseAddress(text) ?? []);
  return ends.length > 0 && ends.every(isLoopback);
}

/** Where a confirmation may arrive: whoever submitted over loopback has a way that no plan touches. */
export function confirmAt({ arrived_at, listeners }: { arrived_at: string; listeners: string[] }): string[] {
  return isLocal({ local: arrived_at, remote: '' }) ? [arrived_at, ...listeners] : listeners;
}

/** What is to be confirmed, or null when the plan leaves the operator's way alone. */
export function confirmationOf(question: PathQuestion): Confirmation | null {
  if (isLocal(question.arrival)) return null;
  const because = REASONS.flatMap((reason) => reason(question));
  return because.length === 0 ? null : { because, ...addressesOf(question) };
}

/** Where the management UI is to be reached, without and with the plan. */
export function addressesOf({ arrival, before, saved, network }: PathQuestion): Omit<Confirmation, 'because'> {
  const listeners = (rows: readonly NetworkInterface[]) => [
    ...new Set(effectiveManagementListeners(rows).map(({ address }) => address)),
  ];
  // Before the first apply it answers where it can: all that is known is the address that somebody came in at.
  const found = parseAddress(arrival.local) ? [arrival.local] : [];
  const addresses_before = before ? listeners(seenNow(before, saved)) : found;
  return { addresses_before, addresses_after: network ? listeners(saved) : addresses_before };
}

/** Rows in force with the addresses that DHCP and router advertisements gave them meanwhile. */
function seenNow(rows: readonly NetworkInterface[], saved: readonly NetworkInterface[]): NetworkInterface[] {
  const seen = new Map(saved.map(({ name, observed }) => [name, observed]));
  return rows.map((row) => ({ ...row, observed: seen.get(row.name) ?? row.observed }));
}

type Reason = (question: PathQuestion) => string[];

const REASONS: readonly Reason[] = [firstApply, changedInterfaces, lostListeners, changedFilter, changedCertificate];

function firstApply({ network, before }: PathQuestion): string[] {
  return network && before === null ? ['The network is put in force for the first time.'] : [];
}

/** Interfaces that differ between what is in force and what would be. */
function changed(before: readonly NetworkInterface[], after: readonly NetworkInterface[]): Set<string> {
  const [was, becomes] = [before, after].map((rows) => byInterface(facts({ interfaces: [...rows] }))) as [
    ReturnType<typeof byInterface>,
    ReturnType<typeof byInterface>,
  ];
  return new Set([...was.keys(), ...becomes.keys()].filter((name) => !sameInterface(was.get(name), becomes.get(name))));
}

/** The interface that the operator came in over, those in whose networks he is, the trunks of either, and his gateway. */
function changedInterfaces({ network, before, saved, arrival }: PathQuestion): string[] {
  if (!network || before === null) return [];
  const differing = changed(before, saved);
  const rows = [...seenNow(before, saved), ...saved];
  const said = new Map<string, string>();
  const say = (name: string, text: string) => {
    if (differing.has(name) && !said.has(name)) said.set(name, text);
  };
  const carriers = rows.filter((row) => cidrsOf(row).some(({ address }) => address.text === canonical(arrival.local)));
  for (const { name } of carriers) say(name, `${name} changes, which you came in over at ${arrival.local}.`);
  const remote = parseAddress(arrival.remote);
  const around = remote ? rows.filter((row) => cidrsOf(row).some((cidr) => contains(cidr, remote))) : [];
  for (const row of around) {
    const cidr = cidrsOf(row).find((each) => contains(each, remote!))!;
    say(row.name, `${row.name} changes, and you, at ${arrival.remote}, are in its network ${networkOf(cidr)}.`);
  }
  for (const { name, parent_interface } of [...carriers, ...around]) {
    if (parent_interface) say(parent_interface, `${parent_interface} changes, the trunk that carries ${name}.`);
  }
  for (const name of gatewayHolders(rows, remote))
    say(name, `${name} changes, and its gateway may be the one that you, at ${arrival.remote}, are behind.`);
  return [...said.values()];
}

/** Whoever is in no network of the appliance is behind one of its gateways; which one, only the routes know. */
function gatewayHolders(rows: readonly NetworkInterface[], remote: Address | null): string[] {
  if (!remote || rows.some((row) => cidrsOf(row).some((cidr) => contains(cidr, remote)))) return [];
  return rows.filter((row) => mayHoldGateway(row, remote)).map(({ name }) => name);
}

function mayHoldGateway(row: NetworkInterface, { family }: Address): boolean {
  if (!row.enabled || row.role === 'unused') return false;
  if (family === 4) return row.ipv4_gateway !== '' || row.ipv4_method === 'dhcp';
  return row.ipv6_enabled && (row.ipv6_gateway !== '' || row.ipv6_cidr === '');
}

function lostListeners(question: PathQuestion): string[] {
  if (!question.network || question.before === null) return [];
  const { addresses_before, addresses_after } = addressesOf(question);
  return addresses_before
    .filter((address) => !addresses_after.includes(address))
    .map((address) => `The management UI will no longer be reached at ${address}.`);
}

function changedFilter({ filter }: PathQuestion): string[] {
  return filter ? ['The packet filter changes, which decides who reaches the management UI.'] : [];
}

function changedCertificate({ certificate }: PathQuestion): string[] {
  return certificate
    ? [
        'The management UI shows another certificate, which your browser or program has to accept before you are in again.',
      ]
    : [];
}

const canonical = (text: string): string => parseAddress(text)?.text ?? text;

/** Static addresses, and of those that are asked for, the ones that were last seen. */
function cidrsOf(row: NetworkInterface): Cidr[] {
  const v4 = row.ipv4_method === 'dhcp' ? (row.observed?.ipv4_cidrs ?? []) : [row.ipv4_cidr];
  const v6 = row.ipv6_cidr === '' ? (row.observed?.ipv6_cidrs ?? []) : [row.ipv6_cidr];
  return [...v4, ...v6].flatMap((text) => parseCidr(text) ?? []);
}

/** Names of interfaces of the management UI whose addresses are only known once the network has answered. */
export function dynamicListeners(rows: readonly NetworkInterface[]): string[] {
  const asks = (row: NetworkInterface) => row.ipv4_method === 'dhcp' || (row.ipv6_enabled && row.ipv6_cidr === '');
  return rows.filter((row) => asks(row) && canListen(row, rows)).map(({ name }) => name);
}

/** Whether the interface would expose the management UI, given an address. */
function canListen(row: NetworkInterface, rows: readonly NetworkInterface[]): boolean {
  const given: NetworkInterface = { ...row, ipv4_method: 'static', ipv4_cidr: '192.0.2.1/32' };
  return effectiveManagementListeners(rows.map((other) => (other === row ? given : other))).some(
    (listener) => listener.interface === row.name,
  );
}
