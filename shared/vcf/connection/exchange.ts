// One request and its answer over a pinned agent, with bounds on both: time, headers, body. Redirects are answers like
// any other.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectionFault, tooLate, unusable } from './faults.ts';
import type { Peer, PinnedAgent } from './pinned-agent.ts';
import { authorityText } from './target.ts';

export interface PinnedRequest {
  method: string;
  /** Begins with `/`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
  /** Bytes of the answer's body; default 1 MiB. */
  limit?: number;
  /** Milliseconds for all of it; default: that of the client. */
  timeout?: number;
  signal?: AbortSignal | undefined;
}

/** `timeout` is the time in which something must move; `headers` should name the content-length. */
export interface PinnedUpload extends Omit<PinnedRequest, 'body'> {
  body: Readable;
  /** Bytes handed over so far. */
  onProgress?: (sent: number) => void;
}

export interface PinnedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export const ANSWER_LIMIT = 1 << 20;
const HEADERS_LIMIT = 32 * 1024;

/** Header fields that belong to the connection, not to the caller. */
const OURS = new Set(['host', 'connection', 'upgrade', 'transfer-encoding', 'expect', 'te', 'trailer', 'keep-alive']);

function headersOf(peer: Peer, { headers = {}, body }: PinnedRequest | PinnedUpload): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const kept = own.filter(([name]) => !OURS.has(name) && !(name === 'content-length' && !(body instanceof Readable)));
  return {
    'accept-encoding': 'identity',
    ...Object.fromEntries(kept),
    ...(body !== undefined && !(body instanceof Readable) && { 'content-length': `${Buffer.byteLength(body)}` }),
    host: authorityText(peer),
  };
}

/**
 * Sends one request and reads its answer to the end. A body that is a stream is read only once the socket has shown the
 * confirmed certificate, and no faster than the other side takes it; it is destroyed when the exchange ends before it.
 * @throws Problem 409; the signal's reason; the error of the body's own stream
 */
export async function exchange(
  agent: PinnedAgent,
  peer: Peer,
  asked: (PinnedRequest | PinnedUpload) & { timeout: number },
): Promise<PinnedAnswer> {
  const { method, path, body, signal } = asked;
  const streamed = body instanceof Readable ? body : null;
  if (signal?.aborted) {
    streamed?.destroy();
    throw signal.reason;
  }
  if (!path.startsWith('/')) throw new Error('A path begins with a slash.');
  const outgoing = request({
    agent,
    host: peer.address,
    port: peer.port,
    method,
    path,
    headers: headersOf(peer, asked),
    setHost: false,
    maxHeaderSize: HEADERS_LIMIT,
  });
  try {
    const answer = await settled(outgoing, peer, asked);
    streamed?.destroy();
    // An answer before the end of the upload is a refusal: the rest is not worth sending.
    if (!outgoing.writableFinished) outgoing.destroy();
    return answer;
  } catch (error) {
    streamed?.destroy();
    outgoing.destroy();
    throw error;
  }
}

/** Hands the body over and takes the answer; the first thing that ends the exchange settles it. */
function settled(
  outgoing: ClientRequest,
  peer: Peer,
  asked: (PinnedRequest | PinnedUpload) & { timeout: number },
): Promise<PinnedAnswer> {
  const { method, body, signal, timeout, limit = ANSWER_LIMIT } = asked;
  const { promise, resolve, reject } = Promise.withResolvers<PinnedAnswer>();
  const aborted = () => reject(signal!.reason);
  const timer = setTimeout(() => reject(tooLate(peer, 'answer', timeout)), timeout);
  signal?.addEventListener('abort', aborted, { once: true });
  // Also what comes after the end, when a socket is torn down under a request that is given up.
  outgoing.on('error', (error) => reject(withReuse(connectionFault(error, peer, 'answer'), error, outgoing)));
  outgoing.on('upgrade', (_incoming, socket) => {
    socket.destroy();
    reject(unusable(peer, 'wants to speak another protocol than HTTP'));
  });
  outgoing.on('response', (incoming) => {
    collect(incoming, method === 'HEAD' ? Number.POSITIVE_INFINITY : limit).then(resolve, (error: unknown) =>
      reject(error === TOO_LARGE ? unusable(peer, tooLarge(limit)) : connectionFault(error, peer, 'answer')),
    );
  });
  if (body instanceof Readable) {
    const onProgress = 'onProgress' in asked ? asked.onProgress : undefined;
    const moved = (sent: number) => {
      timer.refresh();
      onProgress?.(sent);
    };
    outgoing.once('socket', () => void upload(body, outgoing, moved).catch(reject));
    body.on('error', reject);
    // Node's, though not typed: what goes beyond the announced length would be read as the next request.
    Object.assign(outgoing, { strictContentLength: true });
  } else outgoing.end(body);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  });
}

const TOO_LARGE = new Error('The answer is too large.');
const tooLarge = (limit: number): string => `sent an answer of more than ${limit} bytes`;

async function collect(incoming: IncomingMessage, limit: number): Promise<PinnedAnswer> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) {
    incoming.destroy();
    throw TOO_LARGE;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw TOO_LARGE;
    chunks.push(chunk);
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) };
}

/** Hands the body over as the other side takes it; `moved` hears of each piece. */
async function upload(body: Readable, outgoing: ClientRequest, moved: (sent: number) => void): Promise<void> {
  let sent = 0;
  await pipeline(
    body,
    async function* (pieces: AsyncIterable<Buffer | string>) {
      for await (const piece of pieces) {
        moved(sent);
        yield piece;
        sent += Buffer.byteLength(piece);
        moved(sent);
      }
    },
    outgoing,
  );
}

const stale = new WeakSet<object>();

/** Remembers that the connection was an old one that had just been closed by the other side. */
function withReuse<E extends object>(fault: E, error: Error, outgoing: ClientRequest): E {
  const { code } = error as NodeJS.ErrnoException;
  if (outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) stale.add(fault);
  return fault;
}

/**
 * Whether the other side had closed the idle connection that the request used: a repeatable request may be sent again.
 */
export const metStaleSocket = (fault: unknown): boolean =>
  typeof fault === 'object' && fault !== null && stale.has(fault);
