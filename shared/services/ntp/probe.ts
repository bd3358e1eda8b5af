// Asks the running service for the time on every address, and chronyd for its sources. Its exit code shows nothing:
// chronyd starts even when its port is in use.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import { parseSources } from './chronyc-output.ts';
import { type NtpDesired, runs } from './desired.ts';
import { chronyc } from './files.ts';
import { addressesOf, addressIn, isDynamic } from './listening.ts';
import type { AskedKeys, AskedTime } from './ntp-question.ts';

const NTP_PORT = '123';
const ATTEMPTS = 12;
const PAUSE_MS = 200;
/**
 * Milliseconds for all attempts; the last question may end later. A fast machine has made its attempts after three
 * seconds; on a slow and busy one, starting the program alone takes several.
 */
const LIMIT_MS = 20_000;

/** Addresses to ask: the desired ones, and for an interface with an address from the network what it has now. */
async function serversOf(host: Host, { settings, listen }: NtpDesired): Promise<string[]> {
  if (!settings.enabled) return [];
  const dynamic = listen.filter(isDynamic).map((link) => link.name);
  const links = dynamic.length === 0 ? [] : (await host.links()).filter((link) => dynamic.includes(link.name));
  const observed = links.flatMap((link) => [...link.ipv4_cidrs, ...link.ipv6_cidrs]).map(addressIn);
  return [...new Set([...listen.flatMap(addressesOf), ...observed])];
}

function parsed<T>(stdout: string): T[] {
  try {
    return JSON.parse(stdout) as T[];
  } catch {
    return [];
  }
}

interface Asked {
  fault: string | null;
  said: string[];
}

const refused = (fault: string): Asked => ({ fault, said: [] });

const wordsOf = ({ server, answer }: AskedTime): string =>
  answer?.synchronised ? `${server}: stratum ${answer.stratum}` : `${server}: not synchronised yet`;

/** Every address has to answer; with a local stratum, as synchronised. */
async function askServers(host: Host, desired: NtpDesired, servers: readonly string[]): Promise<Asked> {
  if (servers.length === 0) return { fault: null, said: [] };
  const args = [companion('ntp-question', import.meta.url), NTP_PORT, servers.join(',')];
  const asked = parsed<AskedTime>((await host.exec(process.execPath, args, { timeout: LIMIT_MS })).stdout);
  for (const server of servers) {
    const found = asked.find((one) => one.server === server);
    if (!found?.answer) return refused(`${server} did not answer on UDP port 123: ${found?.error ?? 'no answer'}.`);
    if (found.answer.kiss !== null) return refused(`${server} refused with ${found.answer.kiss}.`);
    if (desired.settings.local_stratum > 0 && !found.answer.synchronised) {
      return refused(`${server} answered that it knows no time, though it has a local stratum.`);
    }
  }
  return { fault: null, said: asked.map(wordsOf) };
}

/** Every address has to show the applied certificate at the key exchange of NTS. */
async function askForKeys(host: Host, { certificate }: NtpDesired, servers: readonly string[]): Promise<Asked> {
  if (!certificate || servers.length === 0) return { fault: null, said: [] };
  const args = [companion('ntp-question', import.meta.url), 'keys', servers.join(',')];
  const asked = parsed<AskedKeys>((await host.exec(process.execPath, args, { timeout: LIMIT_MS })).stdout);
  for (const server of servers) {
    const found = asked.find((one) => one.server === server);
    if (!found?.sha256)
      return refused(`${server} gave no keys of NTS on TCP port 4460: ${found?.error ?? 'no answer'}.`);
    if (found.sha256 !== certificate.sha256) return refused(`${server} serves NTS with another certificate.`);
  }
  return { fault: null, said: ['NTS with the applied certificate'] };
}

/** chronyd has to have exactly the desired sources; whether they answer does not depend on the appliance. */
async function askSources(host: Host, { sources }: NtpDesired): Promise<Asked> {
  const listed = await chronyc(host, ['sources', '-a']);
  if (listed.code !== 0) return refused('chronyd could not be asked for its sources over its control socket.');
  const known = new Set(parseSources(listed.stdout).map(({ address }) => address));
  const missing = sources.filter(({ address }) => !known.delete(address));
  const [first] = missing;
  if (first) return refused(`chronyd does not know the source ${first.address}.`);
  const [stale] = known;
  if (stale !== undefined) return refused(`chronyd still asks the source ${stale}.`);
  return { fault: null, said: [sources.length === 1 ? '1 source known' : `${sources.length} sources known`] };
}

export async function probe(host: Host, desired: NtpDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!runs(desired)) return { ok: true, said: 'The time service is off and there is no source: not asked.' };
  const servers = await serversOf(host, desired);
  if (desired.settings.enabled && servers.length === 0) return { ok: false, said: 'There is no address to ask.' };
  const ask = async () => {
    const answers = await askServers(host, desired, servers);
    const keys = answers.fault === null ? await askForKeys(host, desired, servers) : answers;
    const known = keys.fault === null ? await askSources(host, desired) : keys;
    const said = [...answers.said, ...keys.said, ...known.said].join(', ');
    return { fault: known.fault, said: `Asked for the time: ${said}.` };
  };
  return askUntilRight(ask, { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS }, pause);
}
