// Addresses of the management plane: by the state in force, never by what is only saved.
import { enforcementOf } from '../shared/appliance/apply/enforcement-of.ts';
import { baselineOf } from '../shared/appliance/apply/make-plan.ts';
import { isFinished } from '../shared/appliance/apply/plan-store.ts';
import type { WindowRecord } from '../shared/appliance/apply/window/record.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { baselineDigest } from '../shared/platform/applied/unit-state.ts';
import { loadInterfaces, type NetworkInterface, type Observed } from '../shared/platform/interfaces/interface.ts';
import { effectiveManagementListeners } from '../shared/platform/interfaces/management-listener.ts';
import type { NetworkDesired } from '../shared/platform/network/desired.ts';

/** Milliseconds between two reads of the links, at least: each starts two programs. */
const LINKS_KEPT = 2_000;

type Seen = ReadonlyMap<string, Observed>;

export class AppliedAddresses {
  readonly #services: Services;
  /** What was applied last, by the digest of its baseline: it never changes. */
  #applied: { digest: string; rows: NetworkInterface[] } | null = null;
  #seen: { at: number; links: Seen } | null = null;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Addresses of the effective management UI listeners in force, without loopback; null while the network was never
   * applied. During a confirm window those of before and after: whoever is cut off by the change may still cancel it.
   * @throws Error when the state can't be read.
   */
  async read(): Promise<string[] | null> {
    const rows = await this.#inForce();
    if (rows === null) return null;
    const record = await enforcementOf(this.#services).window.read();
    // A record may outlive its plan, where the service was killed before it could remove it.
    const provisional =
      record !== null && isProvisional(record) && !(await isFinished(this.#services.store, record.plan_id));
    const all = [...rows, ...(provisional ? await loadInterfaces(this.#services.store) : [])];
    const seen = all.some(isDynamic) ? await this.#links() : new Map<string, Observed>();
    const saved = all.slice(rows.length);
    const addresses = [rows, saved].flatMap((set) => addressesOf(set, seen));
    return [...new Set([...addresses, ...(provisional ? record.listeners : [])])];
  }

  async #inForce(): Promise<NetworkInterface[] | null> {
    const digest = await baselineDigest(this.#services.store, 'network');
    if (digest === null) return null;
    if (this.#applied?.digest === digest) return this.#applied.rows;
    const baseline = await baselineOf(this.#services, digest);
    if (baseline === null) return null;
    const { interfaces } = baseline.remembered as NetworkDesired;
    this.#applied = { digest, rows: interfaces };
    this.#seen = null;
    return interfaces;
  }

  async #links(): Promise<Seen> {
    const now = performance.now();
    if (this.#seen && now - this.#seen.at < LINKS_KEPT) return this.#seen.links;
    const links = await this.#services.host.links();
    this.#seen = { at: now, links: new Map(links.map((link) => [link.name, link])) };
    return this.#seen.links;
  }
}

/** The plan in the record is in force, or may be in part, and not yet recorded as such. */
function isProvisional({ state, units }: WindowRecord): boolean {
  return state !== 'reverted' && units.includes('network');
}

/** Gets an address from the network, which is not known when the plan is made. */
const isDynamic = (row: NetworkInterface): boolean =>
  row.ipv4_method === 'dhcp' || (row.ipv6_enabled && row.ipv6_cidr === '');

/** Pure. A link that is not there is no reason to give its address up: binding to it tells, again and again. */
export function addressesOf(rows: readonly NetworkInterface[], seen: Seen): string[] {
  const live = rows.map((row) => ({ ...row, present: true, observed: seen.get(row.name) ?? row.observed }));
  return effectiveManagementListeners(live).map(({ address }) => address);
}
