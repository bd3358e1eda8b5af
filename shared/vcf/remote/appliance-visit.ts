// One visit to an appliance, over connections that are pinned to the confirmed certificate: detect the appliance, log
// in, do the work, log out.
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { clientFor } from '../connection/reach.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import type { Appliance } from '../vcf-api/appliance.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import type { ApplianceCredential, ApplianceSession } from '../vcf-api/session.ts';
import { anonymously } from '../vcf-api/transport.ts';

export interface Visit {
  /** Called only when the certificate is the confirmed one and an appliance answers. */
  credential(): Promise<ApplianceCredential>;
  /** Called after each part, for progress. */
  reached?(part: 'connect' | 'login', appliance: Appliance | null): void | Promise<void>;
  signal?: AbortSignal;
  /** A long one: logs in again with the same when the appliance no longer knows the login. */
  renews?: true;
  /** For all of it; default `VISIT_SECONDS`. */
  seconds?: number;
}

/** From the first connection to the last answer, in a request of a browser and in a job. */
export const VISIT_SECONDS = 120;
/** For the goodbye of a visit, milliseconds. */
const LOGOUT_MS = 5000;

/** @throws Problem 409 `certificate_changed`, `target_refused`, `remote_…`; ApplianceFault; what `work` throws */
export async function visitAppliance<T>(
  services: Services,
  trusted: TrustedTarget,
  { seconds = VISIT_SECONDS, signal: given, ...visit }: Visit,
  work: (session: ApplianceSession, appliance: Appliance, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tookTooLong(trusted, seconds)), seconds * 1000);
  const signal = given ? AbortSignal.any([given, late.signal]) : late.signal;
  try {
    return await visitWithin(services, trusted, { ...visit, signal }, work);
  } finally {
    clearTimeout(timer);
  }
}

async function visitWithin<T>(
  services: Services,
  trusted: TrustedTarget,
  { credential, reached, renews, signal }: Visit & { signal: AbortSignal },
  work: (session: ApplianceSession, appliance: Appliance, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Loaded when there is a visit: whoever only queues one does without.
  const [{ detectAppliance }, { login }] = await Promise.all([
    import('../vcf-api/detect.ts'),
    import('../vcf-api/session.ts'),
  ]);
  const client = await clientFor(services, trusted);
  try {
    const seen = await detectAppliance(anonymously(client), signal);
    if (seen.state === 'starting') throw new ApplianceFault('not_ready', seen.detail);
    await reached?.('connect', seen.state === 'ready' ? seen.appliance : null);
    const session = await login(client, await credential(), { signal, ...(renews && { again: credential }) });
    try {
      const appliance = seen.state === 'ready' ? seen.appliance : await detected(session, signal);
      await reached?.('login', appliance);
      return await work(session, appliance, signal);
    } finally {
      await session.logout(AbortSignal.timeout(LOGOUT_MS));
    }
  } finally {
    client.close();
  }
}

const tookTooLong = (trusted: TrustedTarget, seconds: number): Problem =>
  new Problem(
    'remote_timeout',
    `${serverText(trusted)} answers, but was not done within ${seconds} seconds, which is the most for one visit. Look at its load, then try again.`,
  );

async function detected(session: ApplianceSession, signal?: AbortSignal): Promise<Appliance> {
  const { detectAppliance } = await import('../vcf-api/detect.ts');
  const seen = await detectAppliance(session, signal);
  if (seen.state === 'ready') return seen.appliance;
  throw new ApplianceFault('not_ready', 'It does not tell its role, not even after the login.');
}
