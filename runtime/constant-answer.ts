// What a request for something constant is answered by its Accept-Encoding and its If-None-Match (RFC 9110, 12.5.3 and
// 13.1.2), and how a long body is sent: as its reader takes it, so that an idle reader holds next to nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CODINGS, type Coding, type Constant } from '../shared/kernel/operation/constant.ts';
import { send } from './file-pump.ts';

/** The best available coding that the client accepts. */
export function codingOf(accepted: string | undefined, offered: readonly Coding[] = CODINGS): Coding {
  const taken = new Map<string, number>();
  for (const part of (accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.toLowerCase().split(';');
    const [, quality] =
      /^q=([\d.]+)$/.exec(parameters.map((each) => each.trim()).find((each) => each.startsWith('q=')) ?? '') ?? [];
    taken.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  const wish = (coding: Coding): number => taken.get(coding) ?? taken.get('*') ?? 0;
  const [best] = offered.filter((coding) => wish(coding) > 0).toSorted((a, b) => wish(b) - wish(a));
  return best ?? 'identity';
}

/** Whether the client has the bytes of this tag already. */
export function has(known: string | undefined, etag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

/** Status, headers and bytes for GET and HEAD. */
export async function constantAnswer(
  { headers }: Pick<IncomingMessage, 'headers'>,
  constant: Constant,
): Promise<{ status: 200 | 304; headers: Record<string, string>; body: Buffer }> {
  const coding = codingOf(headers['accept-encoding'] as string | undefined);
  const etag = constant.etag(coding);
  if (has(headers['if-none-match'], etag)) return { status: 304, headers: { etag }, body: Buffer.alloc(0) };
  const encoded = coding !== 'identity' && { 'content-encoding': coding };
  return { status: 200, headers: { etag, ...encoded }, body: await constant.bytes(coding) };
}

/** More than this is sent piece by piece. Encrypted, all that is given to a socket at once is there a second time. */
const PIECE_BYTES = 64 << 10;

/** Ends the response with these bytes. Never rejects: a reader that has gone is nothing to report. */
export async function sendBody(response: ServerResponse, body: Buffer | string): Promise<void> {
  try {
    if (typeof body === 'string') return void response.end(body);
    let at = 0;
    for (; body.length - at > PIECE_BYTES; at += PIECE_BYTES) await send(response, body.subarray(at, at + PIECE_BYTES));
    response.end(at === 0 ? body : body.subarray(at));
  } catch {
    response.destroy();
  }
}
