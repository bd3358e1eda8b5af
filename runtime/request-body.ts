// The body of a request stays in its connection until the operation reads it, which is after authentication. A body
// that no operation reads, or the rest of one, is never read: the connection ends after the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../shared/ground/problems.ts';
import type { IncomingBody } from '../shared/kernel/operation/event.ts';
import { tooLarge } from '../shared/kernel/operation/middleware/body.ts';

export class RequestBody implements IncomingBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #reading: Promise<Buffer> | null = null;
  taken: Buffer | null = null;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  read(most: number): Promise<Buffer> {
    this.#reading ??= this.#read(most).then((bytes) => (this.taken = bytes));
    return this.#reading;
  }

  async #read(most: number): Promise<Buffer> {
    const request = this.#request;
    if (request.method === 'GET' || request.method === 'HEAD' || !bringsBody(request)) return Buffer.alloc(0);
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
    if (/^100-continue$/i.test(request.headers.expect ?? '')) this.#response.writeContinue();
    return collect(request, most);
  }
}

/** Not `for await`, which would end the connection together with the reading, before the answer. */
function collect(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Its client went while it waited for its turn: nothing more would be heard of it.
    if (request.destroyed) return reject(endedEarly());
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= most) return void chunks.push(chunk);
      chunks.length = 0;
      request.off('data', take).pause();
      reject(tooLarge(most));
    };
    // The client is gone or too slow: there is nobody to answer. Every request closes, also one that was read.
    const gone = () => {
      if (!request.readableEnded) reject(endedEarly());
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    request.on('error', gone);
    request.on('close', gone);
  });
}

const endedEarly = (): Problem => new Problem('malformed_request', 'The connection ended before the body did.');

export function bringsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether bytes of the body are still to come: the connection can't carry another request. */
export function leavesBody(request: IncomingMessage): boolean {
  return !request.complete && bringsBody(request);
}

/** Lets the parser finish what has arrived: a quick answer may be ready in the middle of it. */
export async function parsedSoFar(request: IncomingMessage): Promise<void> {
  if (leavesBody(request)) await new Promise((resolve) => setImmediate(resolve));
}
