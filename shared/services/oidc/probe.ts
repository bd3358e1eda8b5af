// Asks the provider as a client does: over TLS, with the certificate checked against our own root. Its discovery document has to
// name the applied issuer, the published keys the one that signs, and a sign-in of the appliance's own client has to come to its end.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import { addressesOf, listenersOf, type OidcDesired } from './desired.ts';
import { issuerOf, pathOfIssuer } from './issuer.ts';
import { APPLIED_PATH, PROBE_PATH, readManifest } from './manifest.ts';
import type { OidcAnswer, OidcQuestions } from './oidc-question.ts';

const ATTEMPTS = 24;
const PAUSE_MS = 250;
/** Milliseconds for all attempts: the listeners follow within a second, but certificate and keys may have to be made first. */
const LIMIT_MS = 20_000;
const ANSWER_MS = 12_000;

// Not imported from the program: importing a value of it would run it.
function readAnswers(stdout: string): OidcAnswer[] {
  try {
    return JSON.parse(stdout) as OidcAnswer[];
  } catch {
    return [];
  }
}

const place = ({ address, port }: { address: string; port: number }): string =>
  `https://${address.includes(':') ? `[${address}]` : address}:${port}`;

export interface Expected {
  issuer: string;
  digest: string | null;
  /** SHA-256 of its certificate; null: whichever. */
  certificate?: string | null;
}

/** The first difference from the applied state, in words; null when there is none. */
export function faultOf(
  { listeners }: Pick<OidcQuestions, 'listeners'>,
  answers: readonly OidcAnswer[],
  { issuer, digest, certificate = null }: Expected,
): string | null {
  for (const [at, listener] of listeners.entries()) {
    const answer = answers[at];
    const where = place(listener);
    if (!answer || answer.error !== null)
      return `The provider does not answer at ${where}: ${answer?.error ?? 'nothing came back'}.`;
    if (answer.applied !== digest) return `The provider at ${where} serves an earlier state.`;
    if (certificate !== null && answer.sha256 !== certificate)
      return `The provider at ${where} shows another certificate: ${answer.sha256}.`;
    if (answer.issuer !== issuer) return `The provider at ${where} calls itself another issuer than the applied one.`;
    if (!answer.keys.includes(answer.signs))
      return `The provider at ${where} does not publish the key that it signs with.`;
    if (answer.flow) return `At ${where} nobody can sign in: ${answer.flow}.`;
  }
  return null;
}

/** Asks once; `signs_in`: with a sign-in, which leaves rows for a minute. */
export async function ask(
  host: Host,
  desired: OidcDesired,
  signs_in: boolean,
): Promise<{ fault: string | null; said: string }> {
  const { authority, certificate, settings } = desired;
  if (authority === null)
    return { fault: 'There is no root certificate to check the provider’s certificate against.', said: '' };
  const issuer = issuerOf(settings, addressesOf(desired));
  const questions: OidcQuestions = {
    listeners: listenersOf(desired).map(({ address, port }) => ({ address, port })),
    hostname: settings.hostname,
    applied: APPLIED_PATH,
    discovery: `${pathOfIssuer(issuer)}/.well-known/openid-configuration`,
    ca_pem: authority.pem,
    secret: signs_in ? host.resolve(PROBE_PATH) : null,
  };
  const args = [companion('oidc-question', import.meta.url), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const applied = await readManifest(host);
  const expected = { issuer, digest: applied?.digest ?? null, certificate: certificate?.sha256 ?? null };
  const fault = faultOf(questions, readAnswers(stdout), expected);
  const asked = questions.listeners.map(place).join(', ');
  return {
    fault,
    said: `Asked ${asked} over TLS: issuer as applied, the key that signs is published, and a sign-in of our own works.`,
  };
}

export async function probe(host: Host, desired: OidcDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'OpenID Connect is off: not asked.' };
  return askUntilRight(
    () => ask(host, desired, true),
    { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS },
    pause,
    'The provider was not asked in time.',
  );
}
