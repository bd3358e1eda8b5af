// The provider while the one transaction of a restore is being saved: what would write is told to come again (503, in the words of
// OAuth 2.0 `temporarily_unavailable`), and what only reads goes on. A browser comes again by itself, without script too.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Frame, failedPage } from '../pages/oidc/sign-in-pages.tsx';
import { Problem } from '../shared/ground/problems.ts';
import type { Store } from '../shared/ground/store/store.ts';
import { identityPolicy } from './oidc-policy.ts';

const CODE = 'temporarily_unavailable';
const SAYS = 'A restore of this appliance is being saved at this moment. This page asks again by itself.';

/** Paths below that of the issuer: what a browser is sent to, and what a client's program asks. */
const BROWSERS = /^\/(?:auth|session\/end)(?:[/?]|$)/;
const PROGRAMS = /^\/token(?:\/revocation)?(?:\?|$)/;

export interface HeldShell {
  store: Pick<Store, 'refuseWhileHeld'>;
  frame: Frame;
}

/** Whether it was refused, and so answered. */
export function refusedWhileHeld(
  shell: HeldShell,
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): boolean {
  if (PROGRAMS.test(target)) return refusedProgram(shell, request, response);
  return BROWSERS.test(target) && refusedBrowser(shell, request, response);
}

/** For a page that a browser was sent to. Only what it asks by GET is the same when it is asked again. */
export function refusedBrowser(
  { store, frame }: HeldShell,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const after = secondsHeld(store);
  if (after === null) return false;
  const page = failedPage(frame, SAYS, CODE);
  response.writeHead(503, {
    ...common(after, page, 'text/html; charset=utf-8'),
    ...(request.method === 'GET' && { refresh: String(after) }),
    'content-security-policy': identityPolicy([]),
  });
  response.end(request.method === 'HEAD' ? undefined : page);
  return true;
}

function refusedProgram({ store }: HeldShell, request: IncomingMessage, response: ServerResponse): boolean {
  const after = secondsHeld(store);
  if (after === null) return false;
  const said = { error: CODE, error_description: 'a restore is being saved, try again in a second' };
  const body = JSON.stringify(said);
  response.writeHead(503, common(after, body, 'application/json'));
  response.end(request.method === 'HEAD' ? undefined : body);
  return true;
}

/** What is left of a body is not read. */
const common = (after: number, body: string, type: string) => ({
  'content-type': type,
  'content-length': Buffer.byteLength(body),
  'cache-control': 'no-store',
  'retry-after': String(after),
});

function secondsHeld(store: HeldShell['store']): number | null {
  try {
    store.refuseWhileHeld();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.members.retry_after ?? 1;
    throw error;
  }
}
