// Whether something answers at addresses that are to be given: on the links of the appliance every machine answers the
// question for its link address (ARP, neighbour discovery), however its own packet filter is set.

import type { Host } from '../../ground/machine/host.ts';
import type { Answered } from '../../services/dns-dhcp/dns-question.ts';
import { dnsQuestion, parsed } from '../../services/dns-dhcp/probe.ts';

/** Discard (RFC 863): nothing answers there, but the kernel has to resolve the address to send the packet. */
const PORT = '9';
/** Milliseconds; each question ends by itself after one second. */
const LIMIT = 5_000;

interface Neighbour {
  dst: string;
  lladdr?: string;
  state?: string[];
}

/** Planned addresses at which something answers, and what. Nothing is sent where the host is not enforced. */
export async function answeringAt<P extends { address: string }>(
  host: Host,
  planned: readonly P[],
): Promise<(P & { said: string })[]> {
  if (!host.enforces || planned.length === 0) return [];
  const addresses = planned.map(({ address }) => address);
  const args = [dnsQuestion(), PORT, addresses.join(','), 'in-use.groundcrew.invalid/A'];
  const answers = parsed((await host.exec(process.execPath, args, { timeout: LIMIT })).stdout);
  const links = neighboursOf((await host.exec('ip', ['-j', 'neigh', 'show'])).stdout);
  return planned.flatMap((one) => {
    const said = saidAt(one.address, answers, links);
    return said === null ? [] : [{ ...one, said }];
  });
}

/** In words; null for silence. Pure. */
export function saidAt(
  address: string,
  answers: readonly Answered[],
  links: ReadonlyMap<string, string>,
): string | null {
  const link = links.get(address);
  if (link !== undefined) return `${link} answers there`;
  const heard = answers.find(({ server }) => server === address);
  // A refused port is an answer of the machine itself.
  return heard && (heard.rcode !== null || /ECONNREFUSED/.test(heard.error ?? '')) ? 'a machine answers there' : null;
}

/** Address → link address of the neighbours that have answered. */
export function neighboursOf(stdout: string): Map<string, string> {
  let listed: Neighbour[] = [];
  try {
    listed = JSON.parse(stdout) as Neighbour[];
  } catch {
    // Without the program, or without neighbours, none is known.
  }
  return new Map(
    listed.flatMap(({ dst, lladdr, state = [] }) =>
      lladdr !== undefined && !state.some((word) => word === 'FAILED' || word === 'INCOMPLETE') ? [[dst, lladdr]] : [],
    ),
  );
}
