// Asks the running service on every address for the two sentinel records and compares them with what was rendered: an
// exit code does not tell that a reload has happened.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answered } from '../../host/dns-question.ts';
import type { Host, RenderedFile } from '../../host/host.ts';
import type { ProbeResult } from '../unit.ts';
import type { DnsDhcpDesired } from './desired.ts';
import { CONF_FILE, HOSTS_FILE } from './files.ts';
import { render } from './render.ts';
import { CONF_SENTINEL, HOSTS_SENTINEL } from './sentinel.ts';

const BUNDLED = 'dns-question.js';
const DNS_PORT = '53';
const ATTEMPTS = 12;
const PAUSE_MS = 200;
/** All attempts together: 3 s for the service to follow, plus the time of the last question. */
const LIMIT_MS = 3_000;

/**
 * The program that asks: in a source tree a file of its own, in a built one at the top of the folder that this module's
 * bundle lies in, however deep.
 */
function questionProgram(): string {
  if (import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('../../host/dns-question.ts', import.meta.url));
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, BUNDLED)) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, BUNDLED);
}

interface Expected {
  question: string;
  answer: string;
}

function lastLine(files: readonly RenderedFile[], path: string): string {
  const content = files.find((file) => file.path === path)?.content ?? '';
  return content.slice(content.lastIndexOf('\n', content.length - 2) + 1, -1);
}

/** The sentinels are the last line of their files. */
function expectedOf(files: readonly RenderedFile[]): Expected[] {
  const [address = ''] = lastLine(files, HOSTS_FILE).split(' ');
  const text = /"([^"]*)"$/.exec(lastLine(files, CONF_FILE))?.[1] ?? '';
  return [
    { question: `${HOSTS_SENTINEL}/AAAA`, answer: address },
    { question: `${CONF_SENTINEL}/TXT`, answer: text },
  ];
}

/** What is not as expected, in words; null when all is. */
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

function parsed(stdout: string): Answered[] {
  try {
    return JSON.parse(stdout) as Answered[];
  } catch {
    return [];
  }
}

/** Addresses to ask: the desired ones, and for an interface with DHCP what it has now. */
async function serversOf(host: Host, desired: DnsDhcpDesired): Promise<string[]> {
  const servers = desired.listen.flatMap((link) => link.addresses);
  const dynamic = desired.listen.filter((link) => link.dynamic).map((link) => link.name);
  if (dynamic.length === 0) return servers;
  const links = (await host.links()).filter((link) => dynamic.includes(link.name));
  const observed = links.flatMap((link) => [...link.ipv4_cidrs, ...link.ipv6_cidrs]);
  return [...new Set([...servers, ...observed.map((cidr) => cidr.split('/')[0] ?? '')])];
}

/** `pause` is replaced in tests; it waits that many milliseconds. */
export async function probe(
  host: Host,
  desired: DnsDhcpDesired,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds)),
): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'The name service is off: not asked.' };
  const servers = await serversOf(host, desired);
  if (servers.length === 0) return { ok: false, said: 'There is no address to ask.' };
  const expected = expectedOf(render(desired, (path) => host.resolve(path)));
  const questions = expected.map((one) => one.question);
  const start = performance.now();
  let fault: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS && performance.now() - start < LIMIT_MS; attempt += 1) {
    if (attempt > 0) await pause(PAUSE_MS);
    const args = [questionProgram(), DNS_PORT, servers.join(','), ...questions];
    const { stdout } = await host.exec(process.execPath, args, { timeout: LIMIT_MS });
    fault = difference(expected, servers, parsed(stdout));
    if (!fault) return { ok: true, said: `Asked ${servers.join(', ')} for ${questions.join(' and ')}: as rendered.` };
  }
  return { ok: false, said: fault ?? 'The service was not asked in time.' };
}
