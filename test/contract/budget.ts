// How many statements a request may cost, by the kind of its operation or page, and how they are counted.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnySpec } from '../../shared/kernel/operation/operation.ts';
import type { Scenario } from './scenarios/scenario.ts';

/**
 * Statements by kind; one of them recognises the caller, a mutation has BEGIN, its audit row and COMMIT besides. A page has one
 * that looks for keys without a copy.
 */
const BUDGETS: readonly [string, number, (spec: AnySpec) => boolean][] = [
  ['a page', 11, ({ plane, effect }) => plane === 'management' && effect === 'read'],
  ['reading one', 2, ({ method, path }) => method === 'GET' && path.endsWith('}')],
  ['a list', 3, ({ method }) => method === 'GET'],
  ['a change of one', 6, ({ method, form }) => (method === 'PATCH' || method === 'PUT') && !form],
  ['a removal', 7, ({ method }) => method === 'DELETE'],
  // A form that is answered with a page loads that page.
  ['another mutation', 7, () => true],
];

/** In the transaction of a mutation: whether who was let in still is. */
const STILL_LET_IN = 1;
/** The own password: is it slowed, the user, the failures forgotten (of the network and of the session) in a transaction. */
const CONFIRMING = 6;

/**
 * Where a request looks at several tables of a subject, it reads each by a plain statement, in a process that holds its
 * database: what that takes beyond the one statement that a kind’s budget has for it. The number is the code’s own; that it
 * does not grow with the rows is what budgets.test.ts holds.
 */
const TABLES: readonly [number, RegExp][] = [
  // Interfaces and scopes around a subnet, or around the address of a host.
  [2, /^(?:PATCH|POST|DELETE) \S+\/dhcp\/(?:scopes|legacy-binding)\b/],
  [2, /^POST \S+\/network-boot\/(?:esxi-hosts|hosts\/new)$/],
  // The overview: the schedule of archives and the newest verified copy at each target; whether anything was saved yet; rules of
  // alerts, jobs that ended, sign-ins that failed and receivers.
  [9, /^GET \/ui\/management$/],
  // Units, certificates, applies, jobs, credentials, the schedule of archives and its newest copies, keys without a copy.
  [7, /^GET \/metrics$/],
  // Beside these the rules of alerts, receivers that fail, sign-ins that failed.
  [11, /^GET (?:\/api\/v1\/health|\/ui\/management\/health)$/],
  // The page of DHCP: what the services that clients are told of listen on.
  [1, /^GET \S+\/management\/dhcp$/],
  // Zone, records, interfaces, scopes and settings around names; names, reservations and reverses of addresses.
  [6, /^POST \S+\/generated-fqdns$/],
  [5, /^GET \S+\/generated-fqdns\//],
  [3, /^POST \S+\/generated-fqdns\/delete$/],
  // Settings, whether they are in force, identity, root and certificate of the depot.
  [4, /^POST \S+\/vcf-helper\/offline-depot\/depot$/],
  [3, /\/private-cloud-services\/status$/],
  [2, /\/offline-depot\/inspect-target$/],
];

/** Of one request. */
export function budgetOf(spec: AnySpec, scenario: Scenario): number {
  const own = scenario.statements ?? BUDGETS.find(([, , fits]) => fits(spec))![1];
  const changes = spec.effect !== 'read' && spec.access !== 'public';
  const tables = TABLES.find(([, place]) => place.test(`${spec.method} ${spec.path}`))?.[0] ?? 0;
  return own + tables + (changes ? STILL_LET_IN : 0) + (spec.form?.confirms ? CONFIRMING : 0);
}

const counting = new AsyncLocalStorage<string[]>();

/** For `observe` of a house. */
export const observe = (sql: string): void => void counting.getStore()?.push(sql);

/** The answer, and the statements in whose call chain they ran: the ticker's and the job runner's are not among them. */
export async function counted<T>(request: () => Promise<T>): Promise<{ heard: T; statements: string[] }> {
  const statements: string[] = [];
  const heard = await counting.run(statements, request);
  // What the request started goes on in its call chain: only what it waited for counts.
  return { heard, statements: statements.map((sql) => sql.replaceAll(/\s+/g, ' ')) };
}
