// Fields of a posted form, as a browser sends them: URL-encoded, or in parts where the form has a file (RFC 7578). A file
// becomes a field of base64: nothing of a form is ever written to the disk.
import type { GatewayEvent } from './event.ts';
import { FormFields } from './operation.ts';

export const MULTIPART = /^multipart\/form-data *; *boundary="?([A-Za-z0-9'()+_,./:=?-]{1,70})"?$/i;

/** Parts of a form; with more it is none of ours. */
const PARTS_MOST = 50;

/** Null: it can't be read as parts. */
export function partsOf(bytes: Buffer, type: string): FormFields | null {
  const boundary = MULTIPART.exec(type.trim())?.[1];
  if (boundary === undefined) return null;
  const fields = new FormFields('');
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let at = bytes.indexOf(mark);
  for (let parts = 0; at >= 0 && parts <= PARTS_MOST; parts++) {
    const begin = at + mark.length;
    if (bytes.toString('latin1', begin, begin + 2) === '--') return fields;
    const next = bytes.indexOf(mark, begin);
    const head = bytes.indexOf('\r\n\r\n', begin);
    if (next < 0 || head < 0 || head > next) return null;
    const [name, file] = nameOf(bytes.toString('utf8', begin, head));
    if (name === null) return null;
    const content = bytes.subarray(head + 4, next - 2);
    // A file that was not chosen is sent empty.
    if (!file) fields.values.append(name, content.toString('utf8'));
    else if (content.length > 0) fields.values.append(name, content.toString('base64'));
    at = next;
  }
  return null;
}

function nameOf(head: string): [name: string | null, file: boolean] {
  const line = /^content-disposition: *form-data *;(.*)$/im.exec(head)?.[1] ?? '';
  const name = /(?:^|;) *name="([^"]{1,100})"/.exec(line)?.[1] ?? null;
  return [name, /(?:^|;) *filename="/.test(line)];
}

/** Of a form that was read already. */
export function fieldsOfEvent({ headers, body, isBase64Encoded, incoming }: GatewayEvent): FormFields {
  const bytes = incoming
    ? (incoming.taken ?? Buffer.alloc(0))
    : Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  const type = headers['content-type'] ?? '';
  return (MULTIPART.test(type) ? partsOf(bytes, type) : null) ?? new FormFields(bytes.toString('utf8'));
}
