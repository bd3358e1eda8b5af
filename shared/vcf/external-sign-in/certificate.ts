// The certificate of the external provider: looked at, compared by a person, and confirmed. Nothing is sent before that.

import type { Actor } from '../../kernel/access/actor.ts';
import type { UsableProvider } from '../../kernel/access/external/provider.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { certificateChanged } from '../connection/faults.ts';
import type { Observation } from '../connection/reach.ts';
import { type Looked, look, lookEvent } from '../connection/recorded-look.ts';
import { parseServer, serverText, type Target } from '../connection/target.ts';

/** @throws Problem 422 at `/issuer` for a host that is none */
export const serverOf = (issuer: string): Target => parseServer(new URL(issuer).host, { pointer: '/issuer' });

export interface LookedAt {
  issuer: string;
  looked: Looked;
}

/** @throws Problem 429 */
export const lookAt = async (services: Services, actor: Actor, issuer: string): Promise<LookedAt> => ({
  issuer,
  looked: await look(services, actor, serverOf(issuer)),
});

export const eventOf = ({ issuer, looked }: LookedAt) => lookEvent('external sign-in', serverOf(issuer), looked);

export const shown = (confirmed: UsableProvider['sha256'] | null, { certificate, ...seen }: Observation) => ({
  server: serverText(seen),
  address: seen.address,
  sha256: certificate.sha256,
  subject: certificate.subject,
  valid_until: certificate.valid_until,
  confirmed: certificate.sha256 === confirmed,
});

/** @throws Problem 409 `certificate_changed` where the server shows another one than was compared */
export function requireSame(seen: Observation, confirmed: string): void {
  if (seen.certificate.sha256 !== confirmed) throw certificateChanged(seen, confirmed, seen.certificate.sha256);
}
