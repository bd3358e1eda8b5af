// Asks the directory like a client: over TLS, with the certificate checked against our own root, by a bind. The entry that it
// binds as has the digest of the applied entries as its password, so that only those can answer.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import { type LdapDesired, listenersOf, placeOf } from './desired.ts';
import { readEntries } from './entries.ts';
import { followedNow } from './follow/now.ts';
import { appliedOf } from './follow/wanted.ts';
import type { LdapAnswered, LdapQuestions } from './ldap-question.ts';

const ATTEMPTS = 900;
const PAUSE_MS = 100;
/** Milliseconds for all attempts: the service looks ten times a second, and ten thousand new entries take their time. */
const LIMIT_MS = 120_000;
const ANSWER_MS = 20_000;
/** RFC 4511, appendix A: TLS has to come first. */
const CONFIDENTIALITY_REQUIRED = 13;

// Not imported from the program: importing a value of it would run it.
function readAnswers(stdout: string): LdapAnswered[] {
  try {
    return JSON.parse(stdout) as LdapAnswered[];
  } catch {
    return [];
  }
}

/** The first difference from the applied state, in words; null when there is none. */
export function faultOf(
  { listeners, digest, trees }: Pick<LdapQuestions, 'listeners' | 'digest' | 'trees'>,
  answers: readonly LdapAnswered[],
  allowPlain: boolean,
): string | null {
  for (const [at, listener] of listeners.entries()) {
    const { told, plain, error } = answers[at] ?? { told: [], plain: null, error: 'nothing came back' };
    const place = placeOf(listener);
    if (error !== null) return `The directory does not answer at ${place}: ${error}.`;
    if (listener.scheme === 'ldap' && (plain === CONFIDENTIALITY_REQUIRED) === allowPlain)
      return allowPlain
        ? `The directory at ${place} refuses clients that sign in without TLS, though they are allowed to.`
        : `The directory at ${place} lets clients sign in without TLS.`;
    const stale = trees.findIndex((_, tree) => told[tree] !== digest);
    if (stale >= 0) return `The directory at ${place} holds other entries than the applied ones: ${trees[stale]}.`;
  }
  return null;
}

/** Asks once. */
export async function ask(host: Host, desired: LdapDesired): Promise<{ fault: string | null; said: string }> {
  const { authority, settings } = desired;
  if (authority === null)
    return { fault: 'There is no root certificate to check the directory’s certificate against.', said: '' };
  const applied = await readEntries(host);
  if (applied === null) return { fault: 'The applied entries are gone.', said: '' };
  const questions: LdapQuestions = {
    listeners: listenersOf(desired).map(({ address, port, scheme }) => ({ address, port, scheme })),
    hostname: settings.hostname,
    ca_pem: authority.pem,
    trees: applied.entries.organizations.map(({ suffix }) => appliedOf(suffix)),
    digest: applied.digest,
  };
  const args = [companion('ldap-question', import.meta.url), JSON.stringify(questions)];
  const { stdout } = await host.exec(process.execPath, args, { timeout: ANSWER_MS });
  const fault = faultOf(questions, readAnswers(stdout), settings.allow_plain_bind);
  const asked = questions.listeners.map(placeOf).join(', ');
  return { fault, said: `Signed in at ${asked} over TLS: certificate of our own authority, entries as applied.` };
}

export async function probe(host: Host, desired: LdapDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'The directory is off: not asked.' };
  return askUntilRight(
    async () => {
      await followedNow(host);
      return ask(host, desired);
    },
    { attempts: ATTEMPTS, pause_ms: PAUSE_MS, limit_ms: LIMIT_MS },
    pause,
    'The directory was not asked in time.',
  );
}
