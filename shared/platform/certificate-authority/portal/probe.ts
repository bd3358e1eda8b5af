// Queries the portal like a machine that fetches the root certificate: for the state that is served, and for the root itself.
import { companion } from '../../../ground/machine/companion.ts';
import type { Host } from '../../../ground/machine/host.ts';
import { askUntilRight, type Pause, pausing } from '../../units/probing.ts';
import type { ProbeResult } from '../../units/unit.ts';
import { APPLIED_PATH, filePath } from './addresses.ts';
import { listenersOf, type PortalDesired } from './desired.ts';
import { readManifest, signingOf } from './manifest.ts';
import type { PortalAnswer, PortalQuestions } from './portal-question.ts';

const ATTEMPTS = 16;
const PAUSE_MS = 250;
/** Milliseconds for all attempts: the listeners follow within a second, and starting the program takes one or more. */
const LIMIT_MS = 20_000;
const ANSWER_MS = 10_000;

// Not imported from the program: importing a value of it would run it.
function readAnswers(stdout: string): PortalAnswer[] {
  try {
    return JSON.parse(stdout) as PortalAnswer[];
  } catch {
    return [];
  }
}

const place = ({ address }: { address: string }): string =>
  `http://${address.includes(':') ? `[${address}]` : address}`;

/** The first difference from the applied state, in words; null when there is none. Two answers for each place. */
export function faultOf(
  places: readonly string[],
  answers: readonly PortalAnswer[],
  expected: { digest: string | null; pem: string },
): string | null {
  for (const [at, where] of places.entries()) {
    const { text = null, error = 'nothing came back' } = answers[at * 2] ?? {};
    if (text === null) return `The certificate portal does not answer at ${where}: ${error}.`;
    if (text.trim() !== expected.digest) return `The certificate portal at ${where} serves an earlier state.`;
    const pem = answers[at * 2 + 1]?.text ?? '';
    if (!pem.startsWith(expected.pem)) return `The certificate portal at ${where} hands out another root certificate.`;
  }
  return null;
}

/** Asks once. */
export async function ask(host: Host, desired: PortalDesired): Promise<{ fault: string | null; said: string }> {
  const applied = await readManifest(host);
  const places = listenersOf(desired).map(place);
  const urls = places.flatMap((where) => [where + APPLIED_PATH, where + filePath('root', 'pem')]);
  const questions: PortalQuestions = { urls };
  const args = [companion('portal-question', import.meta.url), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const expected = { digest: applied?.digest ?? null, pem: signingOf(desired)?.pem ?? '' };
  const fault = faultOf(places, readAnswers(stdout), expected);
  return { fault, said: `Asked ${places.join(', ')}: root certificate and state as applied.` };
}

export async function probe(host: Host, desired: PortalDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.on) return { ok: true, said: 'There is no certificate portal: not asked.' };
  return askUntilRight(
    () => ask(host, desired),
    { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS },
    pause,
    'The certificate portal was not asked in time.',
  );
}
