// One visit to an appliance: over connections that are pinned to the confirmed certificate, look what answers, log in, do
// what is to be done, log out.
import type { Services } from '../operation/services.ts';
import { type Appliance, detectAppliance } from '../vcf-api/detect.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import { type ApplianceCredential, type ApplianceSession, login } from '../vcf-api/session.ts';
import { anonymously } from '../vcf-api/transport.ts';
import { clientFor } from './reach.ts';
import type { TrustedTarget } from './trust.ts';

export interface Visit {
  /** Asked for only when the certificate is the confirmed one and an appliance answers. */
  credential(): Promise<ApplianceCredential>;
  /** After each part, for whoever tells how far it is. */
  reached?(part: 'connect' | 'login', appliance: Appliance | null): void | Promise<void>;
  signal?: AbortSignal;
}

/** @throws Problem 409 `certificate_changed`, `target_refused`, `remote_…`; ApplianceFault; what `work` throws */
export async function visitAppliance<T>(
  services: Services,
  trusted: TrustedTarget,
  { credential, reached, signal }: Visit,
  work: (session: ApplianceSession, appliance: Appliance) => Promise<T>,
): Promise<T> {
  const client = await clientFor(services, trusted);
  try {
    const seen = await detectAppliance(anonymously(client), signal);
    if (seen.state === 'starting') throw new ApplianceFault('not_ready', seen.detail);
    await reached?.('connect', seen.state === 'ready' ? seen.appliance : null);
    const session = await login(client, await credential(), { signal });
    try {
      const appliance = seen.state === 'ready' ? seen.appliance : await detected(session, signal);
      await reached?.('login', appliance);
      return await work(session, appliance);
    } finally {
      await session.logout();
    }
  } finally {
    client.close();
  }
}

async function detected(session: ApplianceSession, signal?: AbortSignal): Promise<Appliance> {
  const seen = await detectAppliance(session, signal);
  if (seen.state === 'ready') return seen.appliance;
  throw new ApplianceFault('not_ready', 'It does not tell its role, not even after the login.');
}
