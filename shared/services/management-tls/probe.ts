// Makes a handshake with the running management listener: it has to show the applied certificate.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import type { ManagementTlsDesired } from './desired.ts';
import type { Shown, ShownQuestions } from './management-tls-question.ts';

const ATTEMPTS = 24;
const PAUSE_MS = 250;
/** Milliseconds for all attempts: the listener follows within a second, and starting the program takes one or more. */
const LIMIT_MS = 20_000;
const ANSWER_MS = 10_000;
/** The listener answers there, unless the service was started for one address alone. */
const LOOPBACK = ['127.0.0.1'];

// Not imported from the program: importing a value of it would run it.
function readAnswers(stdout: string): Shown[] {
  try {
    return JSON.parse(stdout) as Shown[];
  } catch {
    return [];
  }
}

/** Null: whoever answers shows the certificate, and somebody does. An address of the plan may not be there yet. */
export function faultOf(places: readonly string[], shown: readonly Shown[], expected: string): string | null {
  const answered = places.flatMap((place, at) => {
    const sha256 = shown[at]?.sha256 ?? null;
    return sha256 === null ? [] : [{ place, sha256 }];
  });
  const other = answered.find(({ sha256 }) => sha256 !== expected);
  if (other) return `The management UI shows another certificate at ${other.place}: ${other.sha256}.`;
  if (answered.length > 0) return null;
  return `The management UI answers at none of ${places.join(', ')}: ${shown[0]?.error ?? 'nothing came back'}.`;
}

/** Asks once. */
export async function ask(
  host: Host,
  { addresses, port, certificate }: ManagementTlsDesired,
): Promise<{ fault: string | null; said: string }> {
  const places = [...LOOPBACK, ...addresses];
  const questions: ShownQuestions = { addresses: places, port };
  const args = [companion('management-tls-question', import.meta.url), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const fault = faultOf(places, readAnswers(stdout), certificate!.sha256);
  return { fault, said: `Made a handshake with the management UI at port ${port}: it shows the applied certificate.` };
}

/** Nothing is asked where the service has its own certificate, or its port is not known. */
export const isAsked = ({ certificate, port }: ManagementTlsDesired): boolean => certificate !== null && port !== 0;

export async function probe(host: Host, desired: ManagementTlsDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!isAsked(desired)) return { ok: true, said: 'The service has its own certificate: not asked.' };
  return askUntilRight(
    () => ask(host, desired),
    { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS },
    pause,
    'The management UI was not asked in time.',
  );
}
