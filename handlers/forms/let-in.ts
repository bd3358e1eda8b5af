// The end of every sign-in, with one step or two: the session, what is remembered of the client, and the event.
import type { Transaction } from '../../shared/ground/store/database.ts';
import type { SessionPlane } from '../../shared/kernel/access/scopes.ts';
import type { UsedFactor } from '../../shared/kernel/access/second-factor/verify.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { noteSignIn } from '../../shared/kernel/access/sign-in.ts';
import type { AuditEvent } from '../../shared/kernel/audit/audit.ts';
import { sessionCookie, sessionCookieHeader } from '../../shared/kernel/operation/middleware/authentication.ts';
import type { RequestFacts } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

interface LettingIn {
  services: Services;
  request: RequestFacts;
  tx: Transaction;
  audit(event: AuditEvent): void;
}

interface LetInBy {
  plane?: SessionPlane;
  factor?: UsedFactor | null;
  external?: boolean;
}

/** `factor`: the second one that was used, if any; `external`: the provider trusted it. Answers Set-Cookie of the session. */
export async function letIn(
  { services, request, tx, audit }: LettingIn,
  user: { id: string; name: string },
  { plane = 'management', factor = null, external = false }: LetInBy = {},
): Promise<string> {
  const previous = sessionCookie(request.cookies, request.secure, plane);
  const session = await startSession(tx, services, user.id, request.source_address, previous, plane);
  await noteSignIn(tx, services, user, request.source_address);
  const detail = {
    ...(plane === 'public' && { plane }),
    ...(factor && { second_factor: factor }),
    ...(external && { external }),
  };
  audit({
    action: 'session.start',
    resource_type: 'user',
    resource_id: user.id,
    by: { user_id: user.id, name: user.name },
    ...(Object.keys(detail).length > 0 && { detail }),
  });
  return sessionCookieHeader(session.id, request.secure, plane);
}

/** A wrong second factor of a user who gave the right password. */
export const factorRefused = (user_id: string): AuditEvent => ({
  action: 'session.refuse',
  resource_type: 'user',
  resource_id: user_id,
  outcome: 'failure',
  detail: { refused: 'second_factor' },
});
