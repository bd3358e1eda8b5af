// What a product lets the browser ask by a form instead of an address (OpenID Connect Core 1.0, 3.1.2.1, and RP-Initiated Logout 1.0,
// 2). Our cookies are SameSite=Lax, so the browser brings none of them along with a form of another site: it is sent on to ask the
// same by GET, where it does. Nobody is signed in or out by that: the pages behind it ask.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestBody } from './request-body.ts';

/** Bytes of the form: as an address it has to fit into the headers of a request, beside cookies. */
const FORM_MOST = 8 << 10;

const PLACES = new Set(['/auth', '/session/end']);

/** Whether this request is such a form; `target`: its path below that of the issuer. */
export const isPosted = ({ method }: IncomingMessage, target: string): boolean =>
  method === 'POST' && PLACES.has(target.split('?', 1)[0]!);

/** Answers with the same question as an address of ours. @throws Problem 413 */
export async function sendOn(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const form = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  const sent = form ? (await new RequestBody(request, response).read(FORM_MOST)).toString('utf8') : '';
  // Written anew: nothing of what was sent stands in the header as it came.
  response.writeHead(303, { location: `${path}?${new URLSearchParams(sent)}`, 'cache-control': 'no-store' });
  response.end();
}
