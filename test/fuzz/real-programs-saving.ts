// Saves states through the operations of the API: each body is held against its schema by the same middleware, and `run`
// is the operation's own; only HTTP, tokens and the commit are left out. Everything happens in one transaction that is
// rolled back.
import { operations } from '../../runtime/generated/operations.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { validation } from '../../shared/kernel/operation/middleware/validation.ts';
import type { AnySpec } from '../../shared/kernel/operation/operation.ts';
import type { OperationRequest } from '../../shared/kernel/operation/request.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { House } from '../setup/house.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies and answers of every shape.
export type Body = Record<string, any>;

export interface Call {
  method: 'POST' | 'PATCH';
  path: string;
  /** `@name` stands for the id of what an earlier call made. */
  body: Body;
  as?: string;
}

/** What the operation answered, or why it refused. */
export type Answer = { body: Body } | { refused: Problem };

const ROUTES = operations
  .filter(({ spec }) => spec.plane === 'api' && (spec.method === 'POST' || spec.method === 'PATCH'))
  .map(({ spec }) => ({ spec, pattern: new RegExp(`^${spec.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }));

function route({ method, path }: Call): { spec: AnySpec; params: Record<string, string> } {
  // A literal path before one with a parameter.
  const found = ROUTES.filter(({ spec, pattern }) => spec.method === method && pattern.test(path));
  const chosen = found.find(({ spec }) => spec.path === path) ?? found[0];
  if (!chosen) throw new Error(`no operation at ${method} ${path}`);
  return { spec: chosen.spec, params: { ...chosen.pattern.exec(path)!.groups } };
}

/** Who calls, for the look at a body that its schema refused. */
const NOBODY = { requestContext: { http: { sourceIp: '' }, secure: false } };

export class Saving {
  readonly #tx: Transaction;
  readonly #services: Services;
  readonly #ids = new Map<string, string>();

  constructor(tx: Transaction, services: Services) {
    this.#tx = tx;
    this.#services = services;
  }

  /** A refused call leaves nothing behind, as its transaction would. */
  async send(call: Call): Promise<Answer> {
    await this.#tx.run('SAVEPOINT call');
    try {
      const body = await this.#run(call);
      if (call.as !== undefined) this.#ids.set(call.as, String(body.id));
      return { body };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.#tx.run('ROLLBACK TO call');
      return { refused: error };
    } finally {
      await this.#tx.run('RELEASE call');
    }
  }

  /** Sends, lets `look` see what is saved then, and takes it back. */
  async try<T>(call: Call, look: () => Promise<T>): Promise<{ refused: Problem } | { seen: T }> {
    await this.#tx.run('SAVEPOINT trial');
    const answer = await this.send(call);
    const result = 'refused' in answer ? answer : { seen: await look() };
    await this.#tx.run('ROLLBACK TO trial');
    await this.#tx.run('RELEASE trial');
    return result;
  }

  /**
   * The second look at a refused body asks the store for a transaction of its own. There is only one writer, and this trial
   * holds it: the look runs inside of it and is taken back.
   */
  readonly #nested = async <T>(run: (tx: Transaction) => Promise<T>): Promise<T> => {
    await this.#tx.run('SAVEPOINT look');
    try {
      return await run(this.#tx);
    } finally {
      await this.#tx.run('ROLLBACK TO look');
      await this.#tx.run('RELEASE look');
    }
  };

  async #run(call: Call): Promise<Body> {
    const { spec, params } = route(call);
    // What JSON can't say would not arrive.
    const body = JSON.parse(JSON.stringify(call.body), (_key, value) =>
      typeof value === 'string' ? (this.#ids.get(value) ?? value) : value,
    );
    const state = { spec, body, form: null, params, query: {}, if_match: null, dry_run: false };
    const event = { pathParameters: params, rawQueryString: '', queryStringParameters: {}, headers: {}, ...NOBODY };
    const services = { ...this.#services, store: { write: this.#nested } };
    await validation.before!({ event, context: { state, services } } as unknown as OperationRequest);
    const tx = this.#tx;
    const request = { if_match: null, dry_run: false, headers: {}, now: new Date() };
    const context = { tx, services: this.#services, request, ...state, audit: () => undefined };
    const answer = await spec.run({ ...context, actor: null, afterCommit: () => undefined } as never);
    return answer.body as Body;
  }
}

/** Name, IPv4, IPv6 and role of the interfaces of every state: one of each kind. */
export const INTERFACES: readonly [name: string, ipv4: string, ipv6: string, role: string][] = [
  ['eth0', '10.77.0.1/24', 'fd77::1/64', 'management'],
  ['eth1', '10.81.0.1/24', 'fd81::1/64', 'access'],
  ['eth2', '10.82.0.1/16', '', 'access'],
  ['eth3', '10.83.0.1/28', 'fd83::1/120', 'access'],
  ['eth4', '', 'fd84::1/64', 'access'],
  ['eth5', '10.85.0.1/24', '', 'unused'],
  ['eth6.10', '10.86.0.1/22', 'fd86::1/64', 'access'],
  ['eth7', '10.87.0.1/30', 'fd87::1/127', 'route'],
];
const TRUNK = 'eth6';

/** An appliance with these interfaces; its host is a rehearsal. */
export async function openHouse(): Promise<House> {
  const physical = [...INTERFACES.filter(([name]) => !name.includes('.')).map(([name]) => name), TRUNK].sort();
  const house = await House.open({
    links: physical.map((name, at): ObservedLink => {
      const [, ipv4 = '', ipv6 = ''] = at === 0 ? INTERFACES[0]! : [];
      const ends = { ipv4_cidrs: ipv4 ? [ipv4] : [], ipv6_cidrs: ipv6 ? [ipv6] : [] };
      const mac_address = `00:50:56:00:00:0${at}`;
      return { name, mac_address, driver: 'vmxnet3', speed_mbps: 10_000, mtu: 1500, link: 'up', ...ends, vlan: null };
    }),
  });
  const { token } = await house.actor('admin');
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await house.send(method, `/api/v1/${path}`, { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  };
  await send('PATCH', `interfaces/physical/${TRUNK}`, { mode: 'trunk', enabled: true });
  for (const [name, ipv4_cidr, ipv6_cidr, role] of INTERFACES) {
    const [parent_interface, vlan_id] = name.split('.');
    if (vlan_id)
      await send('POST', 'vlans', { parent_interface, vlan_id: Number(vlan_id), ipv4_cidr, ipv6_cidr, role });
    else await send('PATCH', `interfaces/physical/${name}`, { ipv4_cidr, ipv6_cidr, role, enabled: role !== 'unused' });
  }
  return house;
}

/** Interfaces that services can listen on. */
export const USABLE = INTERFACES.filter(([, , , role]) => role !== 'unused').map(([name]) => name);
