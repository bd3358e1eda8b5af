// The certificate of a SCIM target: looked at, compared by a person, and confirmed. Nothing is sent before that.
import type { Actor } from '../../kernel/access/actor.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { partsOf } from '../../services/oidc/scim/base-url.ts';
import type { ScimTarget } from '../../services/oidc/scim/targets.ts';
import { certificateChanged } from '../connection/faults.ts';
import type { Observation } from '../connection/reach.ts';
import { type Looked, look, lookEvent } from '../connection/recorded-look.ts';
import { parseServer, serverText, type Target } from '../connection/target.ts';

/** @throws Problem 422 at `/base_url` for a host that is none */
export const serverOf = (base_url: string): Target => parseServer(partsOf(base_url).server, { pointer: '/base_url' });

export interface LookedAt {
  target: ScimTarget;
  looked: Looked;
}

/** @throws Problem 429 */
export const lookAt = async (services: Services, actor: Actor, target: ScimTarget): Promise<LookedAt> => ({
  target,
  looked: await look(services, actor, serverOf(target.base_url)),
});

export const eventOf = ({ target, looked }: LookedAt) => lookEvent('scim', serverOf(target.base_url), looked);

export const shown = ({ sha256 }: ScimTarget, { certificate, ...seen }: Observation) => ({
  server: serverText(seen),
  address: seen.address,
  sha256: certificate.sha256,
  subject: certificate.subject,
  valid_until: certificate.valid_until,
  confirmed: certificate.sha256 === sha256,
});

/** @throws Problem 409 `certificate_changed` where the server shows another one than was compared */
export function requireSame(seen: Observation, confirmed: string): void {
  if (seen.certificate.sha256 !== confirmed) throw certificateChanged(seen, confirmed, seen.certificate.sha256);
}
