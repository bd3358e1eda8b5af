// Body limits and reading, once it is known who sends it. JSON for the API plane, which the next middleware parses, URL-encoded
// fields for forms; the limit holds while the body arrives, before anything is parsed.

import { invalid, Problem } from '../../../ground/problems.ts';
import { type GatewayEvent, textOf } from '../event.ts';
import { LargeBodies } from '../large-bodies.ts';
import { MULTIPART, partsOf } from '../multipart.ts';
import { type AnySpec, FormFields } from '../operation.ts';
import type { Middleware, OperationRequest } from '../request.ts';

/** Bytes of a body unless the operation states another limit. */
export const BODY_LIMIT = 64 << 10;
/** The same where the caller need not sign in. */
export const PUBLIC_BODY_LIMIT = 4 << 10;

/** Fields of a posted form: URLSearchParams takes quadratic time over many that have no value. */
const FIELDS_MOST = 1000;

/** Media types of the three kinds of bodies. */
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json *(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
/** What an operation without a body accepts: some clients always send one. Anything more in it would be ignored, so it is refused. */
const NOTHING = /^(?:\{\s*\}|null)?$/;
const BYTES = 'application/octet-stream';

export const body: Middleware = {
  before(request) {
    return request.context.state.spec.effect === 'read' ? undefined : take(request);
  },
};

/** Most bytes that the operation takes. */
export function bodyLimit({ bodyLimit, access }: AnySpec): number {
  return bodyLimit ?? (access === 'public' ? PUBLIC_BODY_LIMIT : BODY_LIMIT);
}

export function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${limit} bytes.`);
}

/** Checks the media type first: a body of the wrong type need not be read. */
async function take({ event, context }: OperationRequest): Promise<undefined> {
  const { state } = context;
  const { spec } = state;
  const limit = bodyLimit(spec);
  const type = event.headers['content-type'] ?? '';
  if (limit > LARGE && mayBeLarge(event)) state.letGo = await places.take();
  if (isBytes(spec, type)) {
    state.body = await read(event, limit);
  } else if (spec.form) {
    if (spec.form.files && MULTIPART.test(type.trim())) {
      const fields = partsOf(await read(event, limit), type);
      if (!fields) throw new Problem('malformed_request', 'The form could not be read: its parts are broken.');
      state.form = fields;
      return undefined;
    }
    if (!FORM_TYPE.test(type)) throw unsupported('Forms are sent as application/x-www-form-urlencoded.');
    // A script sends the bytes of a form with the CSRF token in a header; fields alone are parsed, and refused.
    await read(event, spec.binary ? BODY_LIMIT : limit);
    state.form = fieldsOf(textOf(event), limit);
  } else if (spec.binary) {
    throw unsupported(`The body must be sent as ${mediaOf(spec).join(' or ')}.`);
  } else if (spec.body) {
    if (!JSON_TYPE.test(type)) throw unsupported('The body must be sent as application/json.');
    await read(event, limit);
  } else {
    await read(event, limit);
    if (!NOTHING.test(textOf(event).trim())) throw invalid({ pointer: '', detail: 'This operation takes no body.' });
  }
  return undefined;
}

/** Media types of a body of bytes. */
export const mediaOf = ({ media }: Pick<AnySpec, 'media'>): readonly string[] => (media ? Object.keys(media) : [BYTES]);

/** The media type of the header alone. */
export const mediaType = (header: string): string => (/^[^;\s]*/.exec(header.trim())?.[0] ?? '').toLowerCase();

const isBytes = (spec: AnySpec, header: string): boolean =>
  spec.binary === true && mediaOf(spec).includes(mediaType(header));

const unsupported = (detail: string): Problem => new Problem('media_type_unsupported', detail);

/** Bytes beyond which a body needs a place, which its request has until it is answered. */
export const LARGE = 4 << 20;
const places = new LargeBodies();

/** One that is still to be read, and does not say that it is short. */
const mayBeLarge = ({ incoming, headers }: GatewayEvent): boolean =>
  incoming !== undefined && !(Number(headers['content-length'] ?? Number.NaN) <= LARGE);

/** @throws Problem 413 */
async function read({ body, isBase64Encoded, incoming }: GatewayEvent, limit: number): Promise<Buffer> {
  if (incoming) return incoming.read(limit);
  const encoding = isBase64Encoded ? 'base64' : 'utf8';
  if (body === null) return Buffer.alloc(0);
  if (Buffer.byteLength(body, encoding) > limit) throw tooLarge(limit);
  return Buffer.from(body, encoding);
}

function fieldsOf(encoded: string, limit: number): FormFields {
  if (moreThan(FIELDS_MOST, encoded)) throw tooLarge(limit);
  return new FormFields(encoded);
}

function moreThan(most: number, encoded: string): boolean {
  let count = 0;
  for (let at = encoded.indexOf('&'); at >= 0; at = encoded.indexOf('&', at + 1)) if (++count >= most) return true;
  return false;
}
