// One visit to vCenter or an ESX host, over a connection that is pinned to the confirmed certificate: log in, do the
// work, log out.

import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { clientFor } from '../connection/reach.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import { VISIT_SECONDS } from '../remote/appliance-visit.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { openVsphere, type VsphereSession } from '../vsphere/session.ts';

/** @throws Problem 409 `certificate_changed`, `target_refused`, `remote_…`; what `work` throws */
export async function visitVsphere<T>(
  services: Services,
  trusted: TrustedTarget,
  credential: () => Promise<ApplianceCredential>,
  work: (session: VsphereSession, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = await clientFor(services, trusted);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tookTooLong(trusted)), VISIT_SECONDS * 1000);
  try {
    const session = await openVsphere(client, await credential(), { signal: late.signal });
    try {
      return await work(session, late.signal);
    } finally {
      await session.logout().catch(() => undefined);
    }
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

const tookTooLong = (trusted: TrustedTarget): Problem =>
  new Problem(
    'remote_timeout',
    `${serverText(trusted)} answers, but was not done within ${VISIT_SECONDS} seconds, which is the most for one visit. Look at its load, then try again.`,
  );
