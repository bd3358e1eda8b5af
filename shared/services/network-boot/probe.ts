// Sends the requests of a machine that boots: to the boot listener for the state that it serves, and over TFTP for the
// first programs.

import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { CONF_FILE } from '../../platform/host/dnsmasq-daemon.ts';
import { askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import type { BootAnswers, BootQuestions } from './boot-question.ts';
import type { NetworkBootDesired } from './desired.ts';
import { BOOT_PROGRAMS } from './files.ts';
import { ipv4Of, listenersOf } from './listening.ts';
import { readManifest } from './manifest.ts';
import { APPLIED_PATH } from './paths.ts';

const ATTEMPTS = 16;
const PAUSE_MS = 250;
/**
 * Milliseconds for all attempts; the last question may end later. Listener and dnsmasq follow within a second; on a
 * slow and busy machine, starting the program alone takes several.
 */
const LIMIT_MS = 20_000;
const ANSWER_MS = 10_000;

// Not imported from the program: importing a value of it would run it.
function readAnswers(stdout: string): BootAnswers {
  try {
    return JSON.parse(stdout) as BootAnswers;
  } catch {
    return { http: [], tftp: [] };
  }
}

/**
 * TFTP is probed where dnsmasq listens by its configuration in force: changes of DNS and DHCP may be saved and not
 * applied yet, and then the lack of an answer is no fault of this unit.
 */
function questionsOf(desired: NetworkBootDesired, conf: string | null): BootQuestions {
  const lines = new Set(conf?.split('\n'));
  const asked = desired.settings.tftp_enabled ? desired.listen.flatMap((link) => ipv4Of(link) ?? []) : [];
  const servers = asked.filter((address) => lines.has(`listen-address=${address}`));
  return {
    http: listenersOf(desired).map(({ origin }) => `${origin}${APPLIED_PATH}`),
    tftp: servers.flatMap((server) => BOOT_PROGRAMS.map((file) => ({ server, file }))),
  };
}

/** The first difference from the applied state, in words; null when there is none. */
export function faultOf({ http, tftp }: BootQuestions, answers: BootAnswers, digest: string | null): string | null {
  for (const [at, url] of http.entries()) {
    const { text = null, error = 'nothing came back' } = answers.http[at] ?? {};
    if (text === null) return `The boot listener does not answer at ${url}: ${error}.`;
    if (text.trim() !== digest) return `The boot listener at ${url} serves an earlier state.`;
  }
  for (const [at, { server, file }] of tftp.entries()) {
    const { bytes = null, error = 'nothing came back' } = answers.tftp[at] ?? {};
    if (bytes === null) return `TFTP at ${server} does not give ${file}: ${error}.`;
    // Copied just before a power cut.
    if (bytes === 0) return `TFTP at ${server} gives an empty ${file}.`;
  }
  return null;
}

/** Asks once. */
export async function ask(host: Host, desired: NetworkBootDesired): Promise<{ fault: string | null; said: string }> {
  const applied = await readManifest(host);
  const questions = questionsOf(desired, await host.read(CONF_FILE));
  const args = [companion('boot-question', import.meta.url), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const fault = faultOf(questions, readAnswers(stdout), applied?.digest ?? null);
  const servers = [...new Set(questions.tftp.map(({ server }) => server))];
  const tftp = servers.length > 0 ? `, and ${servers.join(', ')} for ${BOOT_PROGRAMS.join(' and ')} over TFTP` : '';
  return { fault, said: `Asked ${questions.http.join(', ')}${tftp}: as applied.` };
}

export async function probe(host: Host, desired: NetworkBootDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'Network boot is off: not asked.' };
  return askUntilRight(() => ask(host, desired), { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS }, pause);
}
