// Finds the caller: a bearer token on the API plane, a session cookie on the management plane and another one on the public
// plane, none where access is public. One statement does it, and reads the mutation lock too.

import { Problem } from '../../../ground/problems.ts';
import type { SessionPlane } from '../../access/scopes.ts';
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
  const plane = sessionPlane(state.spec.plane);
  const id = sessionCookie(state.cookies, event.requestContext.secure, plane);
  const found = id ? await authenticateSession(services.store, services, id, plane) : null;
  if (!found) throw new Problem('session_required', 'Sign in to go on.');
  state.actor = found.actor;
  state.lock = found.lock;
  // A page that refreshes itself must not keep an idle session alive.
  if (event.headers['groundcrew-refresh'] !== undefined) return;
  services.lastUse.note('session', found.actor.credential_id!, state.now, event.requestContext.http.sourceIp);
}

/** The plane whose sessions count for an operation: no session of the public pages is one anywhere else. */
export const sessionPlane = (plane: string): SessionPlane => (plane === 'public' ? 'public' : 'management');

/**
 * `__Host-` cookies need TLS; on a plain listener (a lab behind its own proxy, a first look) the name has no prefix. Each
 * plane has its own: a browser sends a cookie to every port of a host.
 */
export function sessionCookieName(secure: boolean, plane: SessionPlane = 'management'): string {
  const name = `groundcrew_${plane === 'public' ? plane : 'session'}`;
  return secure ? `__Host-${name}` : name;
}

export function sessionCookie(
  cookies: Record<string, string>,
  secure: boolean,
  plane: SessionPlane = 'management',
): string | null {
  const value = cookies[sessionCookieName(secure, plane)];
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/** Attributes of the session cookie; an empty value ends it. */
export function sessionCookieHeader(value: string, secure: boolean, plane: SessionPlane = 'management'): string {
  const parts = [`${sessionCookieName(secure, plane)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) parts.push('Secure');
  if (value === '') parts.push('Max-Age=0');
  return parts.join('; ');
}
