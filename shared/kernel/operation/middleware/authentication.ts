// Finds the caller: a bearer token on the API plane, a session cookie on the management plane, none where access is
// public. One statement does it, and reads the mutation lock too.

import { Problem } from '../../../ground/problems.ts';
import { authenticateSession } from '../../access/session.ts';
import { authenticateToken } from '../../access/token.ts';
import type { Middleware, OperationRequest } from '../request.ts';

export const authentication: Middleware = {
  async before(request) {
    const { access } = request.context.state.spec;
    if (access === 'public') return undefined;
    if ('scope' in access) await bearer(request);
    else await session(request);
    return undefined;
  },
};

async function bearer({ event, context }: OperationRequest): Promise<void> {
  const { services, state } = context;
  const header = event.headers.authorization;
  if (header === undefined) throw new Problem('credentials_missing', 'Send Authorization: Bearer <token>.');
  const [, token] = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(header) ?? [];
  if (!token) throw new Problem('credentials_invalid', 'The Authorization header is not Bearer <token>.');
  const found = await authenticateToken(services.store, services, token);
  state.actor = found.actor;
  state.lock = found.lock;
  services.lastUse.note('api_token', found.token_id, state.now, event.requestContext.http.sourceIp);
}

async function session({ event, context }: OperationRequest): Promise<void> {
  const { services, state } = context;
  const id = sessionCookie(state.cookies, event.requestContext.secure);
  const found = id ? await authenticateSession(services.store, services, id) : null;
  if (!found) throw new Problem('session_required', 'Sign in to go on.');
  state.actor = found.actor;
  state.lock = found.lock;
  // A page that refreshes itself must not keep an idle session alive.
  if (event.headers['groundcrew-refresh'] !== undefined) return;
  services.lastUse.note('session', found.actor.credential_id!, state.now, event.requestContext.http.sourceIp);
}

/**
 * `__Host-` cookies need TLS; on a plain listener (a lab behind its own proxy, a first look) the name has no prefix.
 */
export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-groundcrew_session' : 'groundcrew_session';
}

export function sessionCookie(cookies: Record<string, string>, secure: boolean): string | null {
  const value = cookies[sessionCookieName(secure)];
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/** Attributes of the session cookie; an empty value ends it. */
export function sessionCookieHeader(value: string, secure: boolean): string {
  const parts = [`${sessionCookieName(secure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) parts.push('Secure');
  if (value === '') parts.push('Max-Age=0');
  return parts.join('; ');
}
