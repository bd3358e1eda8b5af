// Body limits and parsing. JSON for the API plane, URL-encoded fields for forms; the limit holds before anything is
// parsed. What the parser says about a broken body is dropped, because it quotes the body.
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { GatewayEvent } from '../event.ts';
import { FormFields } from '../operation.ts';
import { Problem } from '../problems.ts';
import type { Middleware, OperationRequest } from '../request.ts';

/** Bytes of a body unless the operation states another limit. */
export const BODY_LIMIT = 1 << 20;
/** Bytes of a posted form. */
export const FORM_LIMIT = 64 << 10;

/** Fields of a posted form: URLSearchParams takes quadratic time over many that have no value. */
const FIELDS_MOST = 1000;

/** An escaped surrogate without its other half: it is no text, and would be stored as another than was sent. */
const HALF_A_PAIR =
  /(?<!\\)(?:\\\\)*(?:\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2})/i;

const json = httpJsonBodyParser();

export const body: Middleware = {
  before(request) {
    const { event, context } = request;
    const { spec } = context.state;
    if (spec.effect === 'read') return undefined;
    const limit = spec.bodyLimit ?? (spec.form ? FORM_LIMIT : BODY_LIMIT);
    if (bytesOf(event) > limit) throw tooLarge(limit);
    if (spec.binary) context.state.body = parseBytes(request);
    // A script sends the bytes of a form with the CSRF token in a header; fields alone are parsed, and refused.
    if (spec.form && !context.state.body) parseForm(request);
    else if (spec.body && !spec.form) context.state.body = parseJson(request);
    return undefined;
  },
};

/** Bytes as they were sent. */
function bytesOf({ body, isBase64Encoded, bytes }: GatewayEvent): number {
  if (bytes) return bytes.length;
  return body === null ? 0 : Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
}

/** Media type of bodies that are bytes. */
export const BYTES = /^application\/octet-stream\b/i;

export function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${limit} bytes.`);
}

function parseForm({ event, context }: OperationRequest): void {
  const type = event.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new Problem('media_type_unsupported', 'Forms are sent as application/x-www-form-urlencoded.');
  }
  if (moreThan(FIELDS_MOST, event.body ?? '')) throw tooLarge(FORM_LIMIT);
  context.state.form = new FormFields(event.body ?? '');
}

function moreThan(most: number, encoded: string): boolean {
  let count = 0;
  for (let at = encoded.indexOf('&'); at >= 0; at = encoded.indexOf('&', at + 1)) if (++count >= most) return true;
  return false;
}

/** Null for another media type: the validation refuses it, once it is known who asks. */
function parseBytes({ event }: OperationRequest): Buffer | null {
  if (!BYTES.test(event.headers['content-type'] ?? '')) return null;
  return event.bytes ?? Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
}

function parseJson({ event }: OperationRequest): unknown {
  const parsed = { event: { ...event, body: event.body ?? '' } };
  try {
    json.before?.(parsed as never);
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 415) {
      throw new Problem('media_type_unsupported', 'The body must be sent as application/json.');
    }
    throw new Problem('malformed_json', 'The body is not valid JSON.');
  }
  if (HALF_A_PAIR.test(event.body ?? '')) {
    throw new Problem('malformed_json', 'A string of the body holds half of a surrogate pair.');
  }
  return parsed.event.body as unknown;
}
