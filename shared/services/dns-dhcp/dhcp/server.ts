// Messages to the running DHCP server from the appliance itself: they ask which files it has read, and release leases.
// Both are messages of the protocol, sent on the interface that is served.

import { addressOf, type Cidr, parseCidr } from '../../../ground/addresses/address.ts';
import { companion } from '../../../ground/machine/companion.ts';
import type { Host, RenderedFile } from '../../../ground/machine/host.ts';
import { CONF_FILE, DHCP_OPTIONS_FILE, LEASES_FILE } from '../files.ts';
import { type DhcpDesired, type ServedScope, scopeFinder } from './desired.ts';
import type { Answer, Place, Request } from './dhcp-question.ts';
import { type Lease, readLeaseFile } from './leases.ts';
import { digestCodes, PROBE_CLASS, toldDigest } from './render.ts';

const REQUEST_MS = 1_000;
/** Milliseconds for the companion to start: on a slow and busy machine that alone takes several seconds. */
const BEGIN_MS = 10_000;

async function talk(host: Host, requests: readonly Request[]): Promise<Answer[]> {
  const timeout = BEGIN_MS + requests.length * REQUEST_MS;
  const args = [companion('dhcp-question', import.meta.url), JSON.stringify(requests)];
  const { stdout } = await host.exec(process.execPath, args, { timeout });
  try {
    return JSON.parse(stdout) as Answer[];
  } catch {
    return [];
  }
}

const UNHEARD: Answer = { options: null, error: 'nothing came back' };

/** Null for a network of one or two addresses, which has no broadcast address to reach its server by. */
function placeOf({ address_family, interface: link, server }: ServedScope): Place | null {
  const network: Cidr | null = server === null ? null : parseCidr(server);
  if (!network) return null;
  if (address_family === 'ipv6') return { family: 6, link };
  const broadcast = network.prefix > 30 ? null : addressOf(4, network.last);
  return broadcast && { family: 4, server: network.address.text, broadcast: broadcast.text };
}

/** One scope for each interface and family, which share the socket and the files. */
function asked(scopes: readonly ServedScope[]): ServedScope[] {
  const known = new Set<string>();
  return scopes.filter(({ interface: on, address_family }) => {
    const key = `${on} ${address_family}`;
    return !known.has(key) && known.add(key);
  });
}

export interface DhcpProbe {
  /** The difference from the rendered files; null when there is none. */
  fault: string | null;
  said: string;
}

/**
 * Asks on each interface, like a client of its network, for the digests of the files that the server has read.
 * Interfaces whose link is down are left out.
 */
export async function askServer(host: Host, dhcp: DhcpDesired, files: readonly RenderedFile[]): Promise<DhcpProbe> {
  const content = (path: string) => files.find((file) => file.path === path)?.content ?? '';
  const up = new Set((await host.links()).filter(({ link }) => link === 'up').map(({ name }) => name));
  const down = new Set<string>();
  const questions = asked(dhcp.scopes).flatMap((scope) => {
    const place = placeOf(scope);
    const { address_family, interface: on } = scope;
    if (!up.has(on)) down.add(on);
    if (!place || !up.has(on)) return [];
    const codes = digestCodes(dhcp.options, address_family);
    const expected = [
      [codes.conf, toldDigest(content(CONF_FILE), address_family, codes.conf)],
      [codes.files, toldDigest(content(DHCP_OPTIONS_FILE), address_family, codes.files)],
    ] as const;
    const request: Request = {
      ...place,
      kind: 'inform',
      user_class: PROBE_CLASS,
      codes: expected.map(([code]) => code),
    };
    const label = `${on} over ${address_family === 'ipv4' ? 'DHCPv4' : 'DHCPv6'}`;
    return [{ request, expected, label }];
  });
  const silent = down.size === 0 ? '' : ` Not asked on ${[...down].join(', ')}: no link.`;
  if (questions.length === 0) return { fault: null, said: `DHCP was not asked.${silent}` };
  const answers = await talk(
    host,
    questions.map(({ request }) => request),
  );
  for (const [at, { expected, label }] of questions.entries()) {
    const { options, error } = answers[at] ?? UNHEARD;
    const fault = !options
      ? `No answer on ${label}: ${error ?? 'silence'}.`
      : expected.every(([code, digest]) => options[code] === digest)
        ? null
        : `Answered on ${label} from earlier files.`;
    if (fault) return { fault, said: fault };
  }
  return { fault: null, said: `Asked ${questions.map(({ label }) => label).join(', ')}: as rendered.${silent}` };
}

const REREAD_MS = 2_000;

/** Waits until the running server has read these files, there is no server to ask, or the time is over. */
export async function hasReread(host: Host, dhcp: DhcpDesired, files: readonly RenderedFile[]): Promise<boolean> {
  for (const end = performance.now() + REREAD_MS; performance.now() < end; ) {
    if ((await askServer(host, dhcp, files)).fault === null) return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

/** The lease file; empty while there is none. */
export const readLeaseText = async (host: Pick<Host, 'read'>): Promise<string> => (await host.read(LEASES_FILE)) ?? '';

export async function readLeases(host: Pick<Host, 'read'>): Promise<ReturnType<typeof readLeaseFile>> {
  return readLeaseFile(await readLeaseText(host));
}

/** For more leases than this, a restart is faster. */
const RELEASED_MOST = 32;
const PAUSE_MS = 50;
/** Attempts within about a second, so that a busy server is not restarted. */
const ATTEMPTS = 20;

/** Releases leases at the running server. Answers those that are still in its file. */
export async function releaseLeases(host: Host, dhcp: DhcpDesired, leases: readonly Lease[]): Promise<Lease[]> {
  if (leases.length === 0 || leases.length > RELEASED_MOST) return [...leases];
  const { server_duid } = await readLeases(host);
  const scopeOf = scopeFinder(dhcp.scopes);
  const requests = leases.flatMap((lease): Request[] => {
    const { address_family, ip_address: address, mac_address, client_id, iaid } = lease;
    const scope = scopeOf(address) ?? undefined;
    const place = scope?.address_family === address_family ? placeOf(scope) : null;
    return place ? [{ ...place, kind: 'release', address, mac_address, client_id, iaid, server_id: server_duid }] : [];
  });
  // Answers are not read: the lease file shows what was released, and the caller restarts the daemon for the rest.
  if (requests.length > 0) await talk(host, requests);
  let left = [...leases];
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const held = new Set((await readLeases(host)).leases.map(({ ip_address }) => ip_address));
    left = leases.filter(({ ip_address }) => held.has(ip_address));
  }
  return left;
}
