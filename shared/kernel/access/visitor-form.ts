// The CSRF token of a form that is posted before anybody signed in: a random cookie of the visitor's browser, and in
// the form its HMAC. Another site can neither read the one nor make the other.

import type { Entropy } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { equalInConstantTime, type Keys } from '../../ground/sealing/keys.ts';
import type { SessionPlane } from './scopes.ts';

/**
 * Characters of the address that a sign-in returns to, at most; a longer one is left out, so that the form stays small.
 */
export const RETURN_MOST = 256;
export const VISITOR_COOKIE = 'groundcrew_visitor';
const NONCE = /^[A-Za-z0-9_-]{43}$/;

export interface VisitorForm {
  /** For the form's hidden field. */
  token: string;
  /** Set-Cookie, when the browser has none yet. */
  cookies: string[];
}

export function visitorForm(
  keys: Keys,
  entropy: Entropy,
  cookies: Record<string, string>,
  secure: boolean,
  plane: SessionPlane = 'management',
): VisitorForm {
  const known = cookies[VISITOR_COOKIE];
  if (known && NONCE.test(known)) return { token: tokenOf(keys, known), cookies: [] };
  const nonce = entropy.bytes(32).toString('base64url');
  const attributes = `Path=${pagePath(plane === 'public' ? 'public' : 'overview')}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return { token: tokenOf(keys, nonce), cookies: [`${VISITOR_COOKIE}=${nonce}; ${attributes}`] };
}

export function isVisitorForm(keys: Keys, cookies: Record<string, string>, sent: string): boolean {
  const nonce = cookies[VISITOR_COOKIE];
  return nonce !== undefined && NONCE.test(nonce) && equalInConstantTime(sent, tokenOf(keys, nonce));
}

function tokenOf(keys: Keys, nonce: string): string {
  return keys.hmac('session-pepper', `visitor form ${nonce}`).toString('base64url');
}
