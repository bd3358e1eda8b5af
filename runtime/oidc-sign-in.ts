// The sign-in of a client’s person: the form, and what is posted by it. Only the browser in which the client asked has the cookie
// of the interaction, and the token of the form is of this interaction alone.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Frame, failedPage, signInPage } from '../pages/oidc/sign-in-pages.tsx';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import { newId } from '../shared/ground/clock.ts';
import { Problem } from '../shared/ground/problems.ts';
import { equalInConstantTime } from '../shared/ground/sealing/keys.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { Client } from '../shared/services/oidc/clients/clients.ts';
import type { People } from '../shared/services/oidc/provider/people.ts';
import type { Identity, Waiting } from '../shared/services/oidc/provider/provider.ts';
import { refusedBrowser } from './oidc-held.ts';
import { identityPolicy } from './oidc-policy.ts';
import { RequestBody } from './request-body.ts';

/** Bytes of the posted form: two short fields and a token. */
const FORM_MOST = 4 << 10;
const NAME_MOST = 64;
const PASSWORD_MOST = 256;
const CODE_MOST = 64;

export interface SignInShell {
  services: Services;
  identity: Identity;
  people: Record<Client['source'], People>;
  frame: Frame;
}

/** Of a sign-in that could not be ended, by the code of the problem. */
const STATUS: Readonly<Record<string, number>> = { too_many_attempts: 429, session_required: 401 };
const EXPIRED = 'This sign-in is over, or was begun in another browser.';
const WRONG = 'The user name or the password is wrong.';
const FOREIGN = 'This form was not sent by the page of the sign-in. Try again here.';

export async function answerSignIn(
  shell: SignInShell,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { identity, frame } = shell;
  if (await identity.probe(request, response)) return;
  const waiting = await identity.waiting(request, response);
  if (!waiting) return html(response, 400, failedPage(frame, EXPIRED, 'interaction_not_found'), []);
  if (waiting.consents) {
    const held = refusedBrowser({ store: shell.services.store, frame }, request, response);
    return held ? undefined : identity.consent(request, response);
  }
  if (request.method === 'GET' || request.method === 'HEAD') return show(shell, request, response, waiting, null);
  if (request.method === 'POST') return take(shell, request, response, waiting);
  response.setHeader('allow', 'GET, POST');
  html(response, 405, failedPage(frame, 'This address takes no such request.', 'method_not_allowed'), []);
}

async function take(
  shell: SignInShell,
  request: IncomingMessage,
  response: ServerResponse,
  waiting: Waiting,
): Promise<void> {
  const form = await fieldsOf(request, response);
  const again = (status: number, refusal: string) =>
    show(shell, request, response, waiting, { status, refusal, username: form.get('username') ?? '' });
  if (!isOurs(shell, request, waiting, form)) return again(403, FOREIGN);
  const [username, code] = ['username', 'code'].map((name) => form.get(name)?.trim() ?? '') as [string, string];
  const password = form.get('password') ?? '';
  if (username === '' || password === '') return again(422, 'Enter your user name and your password.');
  if (username.length > NAME_MOST || password.length > PASSWORD_MOST) return again(422, WRONG);
  if (code.length > CODE_MOST) return again(422, 'A code has six digits; a recovery code is as it was shown.');
  try {
    shell.services.store.refuseWhileHeld();
    const proven = await signedIn(shell, request, waiting, { username, password, code });
    if (!proven) return again(401, WRONG);
    if ('wanting' in proven) return again(401, proven.wanting);
    return await shell.identity.signIn(request, response, proven);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { retry_after } = error.members;
    if (retry_after !== undefined) response.setHeader('retry-after', String(retry_after));
    return again(STATUS[error.code] ?? 503, error.message);
  }
}

function signedIn(
  { services, people }: SignInShell,
  request: IncomingMessage,
  { client }: Waiting,
  typed: { username: string; password: string; code: string },
): ReturnType<People['signIn']> {
  return people[client.source].signIn(client.organization, {
    ...typed,
    source_address: plainAddress(request.socket.remoteAddress ?? ''),
    request_id: newId('req', services.entropy),
    client_id: client.id,
  });
}

/** Browsers say where a form was posted from; the token tells it to those that do not. */
function isOurs(shell: SignInShell, { headers }: IncomingMessage, waiting: Waiting, form: URLSearchParams): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined && origin !== `https://${headers.host}`) return false;
  return equalInConstantTime(form.get('csrf') ?? '', tokenOf(shell, waiting));
}

const tokenOf = ({ services }: SignInShell, { uid }: Waiting): string =>
  services.keys.hmac('session-pepper', `OpenID Connect sign-in ${uid}`).toString('base64url');

async function fieldsOf(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    return new URLSearchParams();
  return new URLSearchParams((await new RequestBody(request, response).read(FORM_MOST)).toString('utf8'));
}

interface Refused {
  status: number;
  refusal: string;
  username: string;
}

function show(
  shell: SignInShell,
  request: IncomingMessage,
  response: ServerResponse,
  waiting: Waiting,
  refused: Refused | null,
): void {
  const { client, hint, origin } = waiting;
  const page = signInPage(shell.frame, {
    client: client.name,
    destination: new URL(origin).host,
    source: client.source === 'appliance' ? 'this appliance' : `the directory, ${client.organization}`,
    action: (request as { originalUrl?: string }).originalUrl?.split('?', 1)[0] ?? '',
    csrf: tokenOf(shell, waiting),
    username: refused?.username ?? hint,
    takes_code: client.source === 'appliance',
    refusal: refused?.refusal ?? null,
  });
  html(response, refused?.status ?? 200, page, [origin]);
}

export function html(response: ServerResponse, status: number, body: string, origins: readonly string[]): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy': identityPolicy(origins),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
