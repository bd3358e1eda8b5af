// Where the time servers of the new machine are: a name is looked up as that machine will do it, at its own name
// servers. Pure but for the questions.

import { parseAddress } from '../../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../../ground/addresses/domain-name.ts';
import type { Answered } from '../../../services/dns-dhcp/dns-question.ts';
import type { Addressing } from '../addressing.ts';
import { divided, type Gate } from '../gate.ts';
import type { Looks } from '../looks.ts';
import type { Questions } from '../shell.ts';

const MOST_SERVERS = 4;
/** As many as resolvers ask. */
const MOST_NAME_SERVERS = 3;
const DNS_PORT = 53;
const TYPES = ['A', 'AAAA'] as const;
/** With these a server has answered, if only that there is nothing. */
const SETTLED = new Set<string | null>(['NOERROR', 'NXDOMAIN']);

export interface TimeServer {
  /** For people: `10.20.0.3`, `ntp.lab.example (10.20.0.3)`, or the name alone. */
  said: string;
  address: string | null;
  /** Why a name has no address; null also when it was not looked up. */
  fault: string | null;
}

export interface Asking {
  questions: Pick<Questions, 'dns'>;
  looks: Looks;
  gate: Pick<Gate, 'refusal'>;
}

/**
 * Addresses of the first four servers. Two queries for each name, to one name server after the other until one answers,
 * three at most; the first address counts. A name that is not full is not looked up.
 */
export async function timeServers(
  asking: Asking,
  { ntp_servers, name_servers }: Pick<Addressing, 'ntp_servers' | 'name_servers'>,
): Promise<TimeServer[]> {
  const listed = ntp_servers.slice(0, MOST_SERVERS).map((text) => ({ text, name: wholeName(text) }));
  const resolvers = divided(asking.gate, name_servers.slice(0, MOST_NAME_SERVERS), DNS_PORT).open;
  const names = [...new Set(listed.flatMap(({ name }) => name ?? []))];
  const found = resolvers.length === 0 ? new Map<string, Found>() : await lookedUp(asking, names, resolvers);
  return listed.map(({ text, name }) => {
    const literal = parseAddress(text)?.text;
    if (literal) return { said: literal, address: literal, fault: null };
    const { address = null, fault = null } = found.get(name ?? '') ?? {};
    return { said: address === null ? text : `${text} (${address})`, address, fault };
  });
}

/**
 * Canonical; null for an address, for what is no name, and for a single label: which domain it gets is not known here.
 */
function wholeName(text: string): string | null {
  if (parseAddress(text) !== null) return null;
  const name = canonicalName(text);
  return name.includes('.') && hostNameFault(name) === null ? name : null;
}

type Found = Pick<TimeServer, 'address' | 'fault'>;

async function lookedUp(
  { questions: { dns }, looks }: Asking,
  names: readonly string[],
  resolvers: readonly string[],
): Promise<Map<string, Found>> {
  const silence = `${resolvers.join(', ')} did not tell this appliance the address of`;
  const found = new Map<string, Found>(names.map((name) => [name, { address: null, fault: `${silence} ${name}.` }]));
  let open = names;
  for (const server of resolvers) {
    if (open.length === 0) break;
    looks.asked('name_servers', [server]);
    const answers = await dns(
      server,
      open.flatMap((name) => TYPES.map((type) => `${name}/${type}`)),
    );
    const settled = open.flatMap((name) => {
      const one = foundIn(name, server, answers);
      return one ? [[name, one] as const] : [];
    });
    for (const [name, one] of settled) found.set(name, one);
    open = open.filter((name) => !settled.some(([known]) => known === name));
  }
  return found;
}

/** Null when this server leaves it open. */
function foundIn(name: string, server: string, answers: readonly Answered[]): Found | null {
  const own = TYPES.map((type) => answers.find(({ question }) => question === `${name}/${type}`));
  const address = own.flatMap((one) => one?.answers ?? []).flatMap((text) => parseAddress(text)?.text ?? [])[0];
  if (address !== undefined) return { address, fault: null };
  if (!own.every((one) => SETTLED.has(one?.rcode ?? null))) return null;
  return { address: null, fault: `${server} has no address of ${name}.` };
}
