// Whether a confirmation proves that the management UI is reached with the plan in force: it has to arrive at one of the
// addresses that hold from now on, over a connection that did not exist before.
import { parseAddress } from '../../../ground/addresses/address.ts';
import { Problem } from '../../../ground/problems.ts';
import type { RequestFacts } from '../../../kernel/operation/operation.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { loadInterfaces } from '../../../platform/interfaces/interface.ts';
import { confirmAt, dynamicListeners } from './path.ts';
import { uptime, type WindowRecord } from './record.ts';

type Facts = Pick<RequestFacts, 'connection'>;
type Known = Pick<WindowRecord, 'arrived_at' | 'enforced_uptime_ms' | 'listeners'>;

/** The kernel says how long it has been up in hundredths of a second, cut off. Milliseconds. */
const TICK = 10;

/** Whether a connection was there before the change was complete. */
export function isOld({ connection }: Facts, { enforced_uptime_ms }: Known, now = uptime().ms): boolean {
  return connection === null || enforced_uptime_ms === null || now + TICK - connection.open_ms < enforced_uptime_ms;
}

/** Whether an address is one where a confirmation proves something, as far as that is known without asking the host. */
export function arrivesThere(local: string, record: Known): boolean {
  const address = parseAddress(local)?.text;
  return address !== undefined && confirmAt(record).some((known) => parseAddress(known)?.text === address);
}

/** @throws Problem 409 `wrong_path` saying what to do instead */
export async function refuseOtherPath(services: Services, facts: Facts, record: WindowRecord): Promise<void> {
  const local = facts.connection?.local_address ?? '';
  if (!arrivesThere(local, record) && !(await isGiven(services, local)))
    throw new Problem('wrong_path', elsewhere(record));
  if (!isOld(facts, record)) return;
  throw new Problem(
    'wrong_path',
    'This connection was open before the change was complete, so it proves nothing. It is closed now: confirm once more.',
    { close: true },
  );
}

function elsewhere(record: WindowRecord): string {
  const listeners = confirmAt(record);
  if (listeners.length === 0)
    return 'A confirmation has to arrive over the network, at an address of the management UI.';
  return `A confirmation has to arrive at an address that holds from now on: sign in at ${listeners.join(' or ')} and confirm there.`;
}

/** Whether an address was given to an interface of the management UI after the plan was made. */
async function isGiven(services: Services, local: string): Promise<boolean> {
  const names = dynamicListeners(await loadInterfaces(services.store));
  if (names.length === 0 || local === '') return false;
  const links = await services.host.links();
  return links.some(
    ({ name, ipv4_cidrs, ipv6_cidrs }) =>
      names.includes(name) && [...ipv4_cidrs, ...ipv6_cidrs].some((cidr) => cidr.split('/')[0] === local),
  );
}
