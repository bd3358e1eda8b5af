// Queries the depot like an appliance that gets its software here: over TLS, with the certificate checked against our
// own root, for the state that is served.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import type { DepotAnswer, DepotQuestions } from './depot-question.ts';
import { type DepotDesired, listenersOf } from './desired.ts';
import { APPLIED_PATH, readManifest } from './manifest.ts';

const ATTEMPTS = 24;
const PAUSE_MS = 250;
/** Milliseconds for all attempts: the listeners follow within a second, but a certificate may have to be made first. */
const LIMIT_MS = 20_000;
const ANSWER_MS = 10_000;

// Not imported from the program: importing a value of it would run it.
function readAnswers(stdout: string): DepotAnswer[] {
  try {
    return JSON.parse(stdout) as DepotAnswer[];
  } catch {
    return [];
  }
}

const place = ({ address, port }: { address: string; port: number }): string =>
  `https://${address.includes(':') ? `[${address}]` : address}:${port}`;

/** The first difference from the applied state (`certificate`: its SHA-256; null: whichever), in words; null when there is none. */
export function faultOf(
  { listeners }: Pick<DepotQuestions, 'listeners'>,
  answers: readonly DepotAnswer[],
  digest: string | null,
  certificate: string | null = null,
): string | null {
  for (const [at, listener] of listeners.entries()) {
    const { text = null, error = 'nothing came back', sha256 = null } = answers[at] ?? {};
    if (text === null) return `The depot listener does not answer at ${place(listener)}: ${error}.`;
    if (text.trim() !== digest) return `The depot listener at ${place(listener)} serves an earlier state.`;
    if (certificate !== null && sha256 !== certificate)
      return `The depot listener at ${place(listener)} shows another certificate: ${sha256}.`;
  }
  return null;
}

/** Asks once. */
export async function ask(host: Host, desired: DepotDesired): Promise<{ fault: string | null; said: string }> {
  const { authority, certificate, settings } = desired;
  if (authority === null)
    return { fault: 'There is no root certificate to check the depot’s certificate against.', said: '' };
  const applied = await readManifest(host);
  const questions: DepotQuestions = {
    listeners: listenersOf(desired).map(({ address, port }) => ({ address, port })),
    hostname: settings.hostname,
    path: APPLIED_PATH,
    ca_pem: authority.pem,
  };
  const args = [companion('depot-question', import.meta.url), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const fault = faultOf(questions, readAnswers(stdout), applied?.digest ?? null, certificate?.sha256);
  const asked = questions.listeners.map(place).join(', ');
  return { fault, said: `Asked ${asked} over TLS: certificate of our own authority, state as applied.` };
}

export async function probe(host: Host, desired: DepotDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'The offline depot is off: not asked.' };
  return askUntilRight(
    () => ask(host, desired),
    { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS },
    pause,
    'The depot was not asked in time.',
  );
}
