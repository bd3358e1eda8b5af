// The files of the offline depot over HTTP: GET and HEAD, exact bytes, a login where the tree needs one. Only files of
// exactly the requested name are served: no links, no folders, nothing hidden or unfinished.
import { randomInt } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import { openOwn } from '../shared/ground/machine/own-file.ts';
import type { KnownAddresses } from '../shared/kernel/access/known-addresses.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { APPLIED_PATH, type AppliedDepot, DEPOT_STORE } from '../shared/services/offline-depot/manifest.ts';
import { basicLogin, type DepotLogins } from '../shared/services/offline-depot/serving/login.ts';
import { servePath } from '../shared/services/offline-depot/serving/serve-path.ts';
import { type Conditions, fileAnswer } from './file-answer.ts';
import { EarnedBuffers, pump, send } from './file-pump.ts';

const CHALLENGE = { 'www-authenticate': 'Basic realm="Offline depot"' };

/** Everything else is bytes. */
const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.xml': 'text/xml',
  '.txt': 'text/plain',
  '.zip': 'application/zip',
};

/** What a log line may hold of what a client sends, characters. */
const LOGGED = 512;
/** How many links the log names, so that neither log nor memory grows with the requests. */
const LINKS_TOLD = 1000;

export interface DepotFiles {
  services: Pick<Services, 'host' | 'logger'>;
  logins: DepotLogins;
  /** Notes addresses that log in. */
  known: KnownAddresses;
  /** The manifest in force; null: nothing is served. */
  applied(): AppliedDepot | null;
  /** Whether a request is for another plane at the same address and port. */
  isMisdirected(request: IncomingMessage): boolean;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers every request of a depot listener, and logs it without its login. */
export function depotFiles(options: DepotFiles): Serve {
  const { host, logger } = options.services;
  const store = host.resolve(DEPOT_STORE);
  const buffers = new EarnedBuffers();
  const links = new Links(logger);
  return async (request, response) => {
    const began = performance.now();
    const sent = { bytes: 0 };
    const { remoteAddress: source_address } = request.socket;
    try {
      await serve(options, { store, buffers, sent, links }, request, response);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      logger.error('depot request failed', { failure: { message, code } });
      if (response.headersSent) response.destroy();
      else refuse(request, response, 500);
    }
    const { 'user-agent': user_agent = '', range = '' } = request.headers;
    logger.info('depot request', {
      method: request.method,
      path: (request.url ?? '').split('?', 1)[0]!.slice(0, LOGGED),
      status: response.statusCode,
      range: range.slice(0, LOGGED),
      bytes: sent.bytes,
      user_agent: user_agent.slice(0, LOGGED),
      source_address,
      duration_ms: Math.round(performance.now() - began),
    });
  };
}

/** Logs each path that exists but is never served, once, with the reason. */
class Links {
  readonly #logger: Services['logger'];
  readonly #told = new Set<string>();

  constructor(logger: Services['logger']) {
    this.#logger = logger;
  }

  tell(path: string): void {
    if (this.#told.has(path) || this.#told.size >= LINKS_TOLD) return;
    this.#told.add(path);
    this.#logger.warn('depot file not served: it is a symbolic link, or has a second hard link', {
      path: path.slice(0, LOGGED),
    });
  }
}

interface Serving {
  store: string;
  links: Links;
  buffers: EarnedBuffers;
  sent: { bytes: number };
}

async function serve(
  { logins, known, applied, isMisdirected }: DepotFiles,
  { store, buffers, sent, links }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isMisdirected(request)) return refuse(request, response, 421);
  const now = applied();
  const target = request.url ?? '/';
  if (now && target === APPLIED_PATH) return said(request, response, 200, `${now.digest}\n`);
  const found = servePath(target);
  if (found.kind === 'malformed') return refuse(request, response, 400);
  if (!now) return refuse(request, response, 404);
  const { allow_unauthenticated_access, http_user } = now.manifest;
  if (!found.open && !allow_unauthenticated_access) {
    const login = basicLogin(request.headers.authorization);
    const from = request.socket.remoteAddress ?? '';
    const result = login ? await logins.verify(http_user, from, login) : 'wrong';
    if (typeof result === 'object') return refuse(request, response, 429, { 'retry-after': result.wait_seconds });
    if (result === 'wrong') return refuse(request, response, 401, CHALLENGE);
    known.note(plainAddress(from));
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(request, response, 405, { allow: 'GET, HEAD' });
  if (found.kind === 'none') return refuse(request, response, 404);
  const own = await openOwn(store, found.path);
  if (own.file === null) {
    if (own.is === 'link') links.tell(found.path);
    return refuse(request, response, own.is === 'folder' ? 403 : 404);
  }
  const { file } = own;
  try {
    if (found.folder) return refuse(request, response, 404);
    await answer(file, found.path, request, response, { buffers, sent });
  } finally {
    await file.close();
  }
}

async function answer(
  file: FileHandle,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { buffers, sent }: Pick<Serving, 'buffers' | 'sent'>,
): Promise<void> {
  const { size, mtimeNs } = await file.stat({ bigint: true });
  const etag = `"${mtimeNs.toString(16)}-${size.toString(16)}"`;
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const facts = { size: Number(size), etag, modified: Number(mtimeNs / 1_000_000n), type };
  const { status, headers, pieces } = fileAnswer(request.headers as Conditions, facts, boundary);
  response.writeHead(status, { ...headers, 'x-content-type-options': 'nosniff' });
  if (request.method === 'HEAD' || pieces.length === 0) return void response.end();
  const count = (bytes: number): void => {
    sent.bytes += bytes;
  };
  // A reader that goes away is nothing to report. A file that can't be read ends the connection, so that nobody takes
  // half of it for the whole.
  try {
    for (const piece of pieces) {
      if (typeof piece !== 'string') await pump(file, response, piece.start, piece.end, { buffers, sent: count });
      else {
        const text = Buffer.from(piece, 'latin1');
        await send(response, text);
        count(text.length);
      }
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** Twenty random digits, which no author of a file can predict. */
const boundary = (): string => `${digits()}${digits()}`;
const digits = (): string => String(randomInt(10 ** 10)).padStart(10, '0');

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number> = {},
): void {
  said(request, response, status, `${TEXTS[status]}\n`, headers);
}

const TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Login required',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  421: 'Misdirected request',
  429: 'Too many logins, try again later',
  500: 'Internal error',
};

function said(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string | number> = {},
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
