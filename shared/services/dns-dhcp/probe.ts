// Queries the running service and compares the answers with the rendered files, since an exit code does not show that a
// reload has happened: DNS on every address for its two sentinel records, DHCP on every interface for the digests.
import { companion } from '../../ground/machine/companion.ts';
import type { Host, RenderedFile } from '../../ground/machine/host.ts';
import { type Asked, askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import { type DnsDhcpDesired, runs, servedDhcp } from './desired.ts';
import { askServer } from './dhcp/server.ts';
import type { Answered } from './dns-question.ts';
import { CONF_FILE, HOSTS_FILE } from './files.ts';

import { render } from './render.ts';
import { CONF_SENTINEL, HOSTS_SENTINEL } from './sentinel.ts';

const DNS_PORT = '53';
const ATTEMPTS = 12;
const PAUSE_MS = 200;
/**
 * Milliseconds for all attempts; the last question may end later. A fast machine has made its attempts after three
 * seconds; on a slow and busy one, starting the program alone takes several.
 */
const LIMIT_MS = 20_000;

interface Expected {
  question: string;
  answer: string;
}

function lastLine(files: readonly RenderedFile[], path: string): string {
  const content = files.find((file) => file.path === path)?.content ?? '';
  return content.slice(content.lastIndexOf('\n', content.length - 2) + 1, -1);
}

/** The sentinels are the last lines of their files. */
function expectedOf(files: readonly RenderedFile[]): Expected[] {
  const [address = ''] = lastLine(files, HOSTS_FILE).split(' ');
  const text = /"([^"]*)"$/.exec(lastLine(files, CONF_FILE))?.[1] ?? '';
  return [
    { question: `${HOSTS_SENTINEL}/AAAA`, answer: address },
    { question: `${CONF_SENTINEL}/TXT`, answer: text },
  ];
}

/** The first difference from the expected answers, in words; null when there is none. */
function difference(
  expected: readonly Expected[],
  servers: readonly string[],
  answered: readonly Answered[],
): string | null {
  for (const server of servers) {
    for (const { question, answer } of expected) {
      const got = answered.find((one) => one.server === server && one.question === question);
      if (!got || got.error) return `${server} did not answer ${question}: ${got?.error ?? 'nothing came back'}.`;
      if (!got.answers.includes(answer)) return `${server} answered ${question} from earlier files.`;
    }
  }
  return null;
}

/** The output of the companion `dns-question`; empty when it printed no answers. */
export function parsed(stdout: string): Answered[] {
  try {
    return JSON.parse(stdout) as Answered[];
  } catch {
    return [];
  }
}

/** Addresses to ask: the desired ones, and for an interface with DHCP what it has now. */
export async function serversOf(host: Host, desired: Pick<DnsDhcpDesired, 'listen'>): Promise<string[]> {
  const servers = desired.listen.flatMap((link) => link.addresses);
  const dynamic = desired.listen.filter((link) => link.dynamic).map((link) => link.name);
  if (dynamic.length === 0) return servers;
  const links = (await host.links()).filter((link) => dynamic.includes(link.name));
  const observed = links.flatMap((link) => [...link.ipv4_cidrs, ...link.ipv6_cidrs]);
  return [...new Set([...servers, ...observed.map((cidr) => cidr.split('/')[0] ?? '')])];
}

async function askNames(host: Host, desired: DnsDhcpDesired, files: readonly RenderedFile[]): Promise<Asked> {
  const servers = await serversOf(host, desired);
  if (servers.length === 0) return { fault: 'There is no address to ask.', said: '' };
  const expected = expectedOf(files);
  const questions = expected.map((one) => one.question);
  const args = [dnsQuestion(), DNS_PORT, servers.join(','), ...questions];
  const { stdout } = await host.exec(process.execPath, args, { timeout: LIMIT_MS });
  const fault = difference(expected, servers, parsed(stdout));
  return { fault, said: `Asked ${servers.join(', ')} for ${questions.join(' and ')}: as rendered.` };
}

export async function probe(host: Host, desired: DnsDhcpDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!runs(desired)) return { ok: true, said: 'The name service is off: not asked.' };
  const files = render(desired, (path) => host.resolve(path));
  return probeFor(host, desired, files, pause);
}

/** Probes by the files in force, since the remembered state has no records. */
export async function probeInForce(host: Host, inForce: DnsDhcpDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces || !runs(inForce)) return probe(host, inForce, pause);
  const names = render(inForce, (path) => host.resolve(path)).map(({ path }) => path);
  const files = await Promise.all(
    names.map(async (path) => ({ path, content: (await host.read(path)) ?? '', mode: 0 })),
  );
  return probeFor(host, inForce, files, pause);
}

function probeFor(host: Host, desired: DnsDhcpDesired, files: readonly RenderedFile[], pause: Pause) {
  const dhcp = servedDhcp(desired);
  const asks: (() => Promise<Asked>)[] = [];
  if (desired.settings.enabled) asks.push(() => askNames(host, desired, files));
  if (dhcp) asks.push(() => askServer(host, dhcp, files));
  const askAll = async (): Promise<Asked> => {
    const heard: Asked[] = [];
    for (const ask of asks) heard.push(await ask());
    const fault = heard.find((one) => one.fault !== null)?.fault ?? null;
    return { fault, said: heard.map(({ said }) => said).join(' ') };
  };
  return askUntilRight(askAll, { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS }, pause);
}

/** Path of the program that asks name servers, for `process.execPath` to run. */
export const dnsQuestion = (): string => companion('dns-question', import.meta.url);
