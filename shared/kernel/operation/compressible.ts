// Which answers may be compressed. How long a compressed answer is tells what repeats in it: where a secret stands beside
// what somebody else sent, it can be guessed bit by bit by whoever sees the lengths (BREACH, 2013). So only what matches all of:
// - It reads, and its caller is known: no page before the sign-in, no answer to a form, nothing on the planes of guests.
// - REST: the caller sends its token by itself, and no browser adds it for a stranger.
// - Pages: the browser does not say that another site asked, and where the address has a query, which a page may repeat, it
//   says that a page of this origin did, one whose own address has no query: a page that another site opened with a query of
//   its choice reads itself anew, and that is asked by this origin. The one secret of a page, the CSRF token, is another text in
//   each answer (`csrf-mask.ts`). What is revealed once is the answer to a form, and not compressed.
// - It has no entity tag: that of the saved revision is strong, and would be the same of two different representations.
import type { GatewayAnswer, GatewayEvent } from './event.ts';
import type { AnySpec } from './operation.ts';

/** Bytes below which it is not worth it. */
const LEAST = 1_024;
const TYPES = /^(?:text\/html|application\/json)(?:;|$)/;

/** Pure. */
export function isCompressible(
  { effect, access, plane }: Pick<AnySpec, 'effect' | 'access' | 'plane'>,
  { headers, rawQueryString, requestContext }: Pick<GatewayEvent, 'headers' | 'rawQueryString' | 'requestContext'>,
  answer: GatewayAnswer,
): boolean {
  if (effect !== 'read' || access === 'public' || answer.statusCode !== 200 || answer.constant) return false;
  if (!READS.has(requestContext.http.method) || answer.body.length < LEAST || answer.headers.etag !== undefined)
    return false;
  if (!TYPES.test(answer.headers['content-type'] ?? '')) return false;
  if (plane === 'api') return true;
  if (plane !== 'management') return false;
  const site = headers['sec-fetch-site'];
  if (rawQueryString === '') return site === undefined || OWN.has(site);
  return site === 'same-origin' && headers.referer?.includes('?') === false;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** `none`: the person typed the address, or opened a bookmark. */
const OWN: ReadonlySet<string> = new Set(['same-origin', 'none']);
