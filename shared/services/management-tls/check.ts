// Validation of the desired state. No other program is needed: the listener is our own.
import { X509Certificate } from 'node:crypto';
import { systemClock } from '../../ground/clock.ts';
import type { Host } from '../../ground/machine/host.ts';
import { answering } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import type { ManagementTlsDesired } from './desired.ts';

/** Faults of the desired state, one line each. */
export function desiredFaults({ source, tls, certificate }: ManagementTlsDesired, now: Date): string[] {
  if (source === 'self_signed') return [];
  if (!tls)
    return ['The management UI speaks no TLS here: start the service with GROUNDCREW_TLS_CERT and GROUNDCREW_TLS_KEY.'];
  if (certificate === null) {
    return source === 'issued'
      ? [
          'There is no certificate for its names and addresses yet: create the root certificate and switch custody on, so that the certificate authority makes it, and make another plan.',
        ]
      : ['No uploaded certificate is kept, and an earlier plan brings none back: upload it, or choose another source.'];
  }
  const { validToDate } = new X509Certificate(certificate.chain_pem);
  return validToDate < now ? [`The certificate expired at ${validToDate.toISOString()}: renew or replace it.`] : [];
}

export async function check(_host: Host, desired: ManagementTlsDesired): Promise<CheckResult> {
  const answer = answering('groundcrew (certificate of the management UI)');
  if (desired.source === 'self_signed') return answer([], 'nothing to check: the service keeps its own certificate');
  return answer(desiredFaults(desired, systemClock.now()));
}
