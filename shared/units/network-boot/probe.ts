// Asks as a machine that boots would: the boot listener for the state that it serves, and TFTP for the first programs.
import type { BootAnswers, BootQuestions } from '../../host/boot-question.ts';
import { companion } from '../../host/companion.ts';
import { dnsmasqDaemon } from '../../host/dnsmasq-daemon.ts';
import type { Host } from '../../host/host.ts';
import { readManifest } from '../../network-boot/manifest.ts';
import { APPLIED_PATH } from '../../network-boot/paths.ts';
import type { ProbeResult } from '../unit.ts';
import type { NetworkBootDesired } from './desired.ts';
import { BOOT_PROGRAMS } from './files.ts';
import { ipv4Of, listenersOf } from './listening.ts';

const ATTEMPTS = 16;
const PAUSE_MS = 250;
/** All attempts together: 5 s for listener and dnsmasq to follow, plus the time of the last question. */
const LIMIT_MS = 5_000;
const ANSWER_MS = 4_000;

// Not the program's own: importing a value of it would start it with whatever imports this.
function readAnswers(stdout: string): BootAnswers {
  try {
    return JSON.parse(stdout) as BootAnswers;
  } catch {
    return { http: [], tftp: [] };
  }
}

function questionsOf(desired: NetworkBootDesired, tftp: boolean): BootQuestions {
  const servers = desired.listen.filter(({ served }) => served).flatMap((link) => ipv4Of(link) ?? []);
  return {
    http: listenersOf(desired).map(({ origin }) => `${origin}${APPLIED_PATH}`),
    tftp: tftp ? servers.flatMap((server) => BOOT_PROGRAMS.map((file) => ({ server, file }))) : [],
  };
}

/** What is not as applied, in words; null when all is. */
export function faultOf({ http, tftp }: BootQuestions, answers: BootAnswers, digest: string | null): string | null {
  for (const [at, url] of http.entries()) {
    const { text = null, error = 'nothing came back' } = answers.http[at] ?? {};
    if (text === null) return `The boot listener does not answer at ${url}: ${error}.`;
    if (text.trim() !== digest) return `The boot listener at ${url} serves an earlier state.`;
  }
  for (const [at, { server, file }] of tftp.entries()) {
    const { bytes = null, error = 'nothing came back' } = answers.tftp[at] ?? {};
    if (bytes === null) return `TFTP at ${server} does not give ${file}: ${error}.`;
  }
  return null;
}

/** Asks once. */
export async function ask(host: Host, desired: NetworkBootDesired): Promise<{ fault: string | null; said: string }> {
  const applied = await readManifest(host);
  const running = await host.daemonRunning(dnsmasqDaemon(host));
  const questions = questionsOf(desired, running && desired.settings.tftp_enabled);
  const args = [companion('boot-question'), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const fault = faultOf(questions, readAnswers(stdout), applied?.digest ?? null);
  const servers = [...new Set(questions.tftp.map(({ server }) => server))];
  const tftp = servers.length > 0 ? `, and ${servers.join(', ')} for ${BOOT_PROGRAMS.join(' and ')} over TFTP` : '';
  return { fault, said: `Asked ${questions.http.join(', ')}${tftp}: as applied.` };
}

/** `pause` is replaced in tests; it waits that many milliseconds. */
export async function probe(
  host: Host,
  desired: NetworkBootDesired,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds)),
): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'Network boot is off: not asked.' };
  const start = performance.now();
  let fault = 'The service was not asked in time.';
  for (let attempt = 0; attempt < ATTEMPTS && performance.now() - start < LIMIT_MS; attempt += 1) {
    if (attempt > 0) await pause(PAUSE_MS);
    const asked = await ask(host, desired);
    if (asked.fault === null) return { ok: true, said: asked.said };
    fault = asked.fault;
  }
  return { ok: false, said: fault };
}
