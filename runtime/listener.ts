// The socket side: node:http with limits on everything a client can send or delay, and a stop that lets running
// requests finish. One listener serves one set of planes; what is not on it does not exist there.
import http, { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import https from 'node:https';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import { newId } from '../shared/ground/clock.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/kernel/operation/event.ts';
import { asProblem, originOf } from '../shared/kernel/operation/problem-document.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { Assets } from './assets.ts';
import { compressed } from './compression.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit, type ConnectionLimits } from './connection-limit.ts';
import { constantAnswer, sendBody } from './constant-answer.ts';
import { gatewayEvent, isOpened, localEnd, noteOpened } from './gateway-event.ts';
import { endSoon, isEnding, lingerAfter } from './linger.ts';
import type { ManagementCertificate } from './management-certificate.ts';
import type { OwnNames } from './own-names.ts';
import { leavesBody, parsedSoFar, RequestBody } from './request-body.ts';
import { RequestLimit } from './request-limit.ts';
import { problemFor } from './router.ts';
import { OVER_TLS, SECURITY_HEADERS } from './security-headers.ts';
import { MANAGEMENT, type TlsDoors } from './tls-doors.ts';
import { offerUpgrade, type Upgrade, wanted } from './upgrade.ts';
import { ownSocket, sharedDoor, type WayIn } from './way-in.ts';

/** What a client may hold, for how long (milliseconds) and how much (bytes, counts). */
export const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 << 10,
  // A request without Host is refused in `serve`: Node's own refusal is no problem document.
  requireHostHeader: false,
  maxHeadersCount: 100,
  /** Node looks for requests that are over their time only this often. */
  connectionsCheckingInterval: 2_000,
  /** From the first byte of a TLS connection, or none, to the end of its handshake. */
  handshakeTimeout: 10_000,
  /** A socket on which nothing moves either way. Event streams say something every 20 s. */
  timeout: 60_000,
  /** What a refused connection may still take, before nothing is left of it. */
  linger: 3_000,
  maxConnections: 1_000,
  /** Of these, reserved for loopback and known addresses, and how many one known address gets of them. */
  connectionsReserved: 200,
  connectionsKnown: 32,
  /**
   * Of these, for one remote address: whoever opens more than this takes nothing from the others. A browser opens six,
   * a machine that boots two. All who come through one address (NAT, a proxy) share it.
   */
  connectionsEach: 128,
  /** For one /64 of IPv6, in which one machine has as many addresses as it likes. */
  connectionsNetwork: 384,
  /** On one connection, unanswered. Clients that send the next request before its turn are rare, and send few. */
  requestsEach: 8,
  urlLength: 8 << 10,
  /** Most that any operation may state as its limit. */
  body: 4 << 20,
  /** The same for a file of many rows, of which two are read at a time (`middleware/body.ts`), with the rest of its form. */
  bulk: (16 << 20) + (64 << 10),
};

export interface Listener {
  address: ListenAddress;
  /**
   * Stops accepting and ends event streams and idle connections at once, lets running requests finish for at most
   * `grace` ms, then ends every connection.
   */
  stop(grace: number): Promise<void>;
}

/** How sockets share a port: several listen side by side, each on its own address. */
export interface Sharing {
  /** SO_REUSEPORT: a socket on one address and one on all addresses may hold the port at the same time. */
  reusePort: boolean;
  /** IPV6_V6ONLY, set for each socket, whatever the machine's default is. */
  ipv6Only: boolean;
}

export interface ListenerOptions {
  listen: ListenAddress;
  sharing?: Sharing;
  /** What it shows over TLS, which may change while it listens; null: plain HTTP. */
  tls: Pick<ManagementCertificate, 'shown' | 'join'> | null;
  /** Over TLS: the address and port may be shared with services, each by its name. Default: a socket of its own. */
  doors?: TlsDoors;
  services: Services;
  assets: Assets;
  answer(event: GatewayEvent): Promise<GatewayAnswer>;
  /** What this listener answers instead of any problem; the problem's own document otherwise. */
  refusal?(): GatewayAnswer;
  /** Other limits than LIMITS has. */
  limits?: Partial<typeof LIMITS>;
  /** Whether this address signed in or used a token lately: a full listener reserves room for it. */
  known?(address: string): boolean;
  /** Names that this listener answers to; default: any. */
  names?: Pick<OwnNames, 'has'>;
  /** How connections of plain HTTP come to its server; default: by a socket of its own. */
  way?(server: http.Server, connections: ConnectionLimit): Promise<WayIn>;
  /** Takes over connections that ask for another protocol. All that it does not want are answered as usual. */
  upgrade?: Upgrade;
  /** Takes over a request whose answer is a stream; true when it did. */
  stream?(request: IncomingMessage, response: ServerResponse, event: GatewayEvent): Promise<boolean>;
}

export async function startListener(options: ListenerOptions): Promise<Listener> {
  const life: Life = { stopping: false, streams: new Set() };
  const limits = { ...LIMITS, ...options.limits };
  const requests = new RequestLimit(options.services, limits.requestsEach);
  const connections = new ConnectionLimit(options.services, connectionLimits(limits), (address) =>
    Boolean(options.known?.(address)),
  );
  const inTurn = (work: (request: IncomingMessage, response: ServerResponse) => void) => {
    return (request: IncomingMessage, response: ServerResponse): void => {
      if (isEnding(request.socket)) return;
      connections.runs(request.socket, response);
      const turn = requests.take(request, response);
      if (turn === true) work(request, response);
      else if (turn) void turn.then((come) => come && !isEnding(request.socket) && work(request, response));
    };
  };
  const handle = inTurn((request, response) => void serve(options, life, request, response));
  const settings = { ...limits, shouldUpgradeCallback: wanted(options) };
  const server = options.tls
    ? https.createServer({ ...settings, ...options.tls.shown, minVersion: 'TLSv1.2' }, handle)
    : http.createServer(settings, handle);
  offerUpgrade(server, { options, connections, isStopping: () => life.stopping });
  const leave = server instanceof https.Server ? options.tls?.join(server) : undefined;
  server.maxHeadersCount = limits.maxHeadersCount;
  server.timeout = limits.timeout;
  server.on(options.tls ? 'secureConnection' : 'connection', noteOpened);
  server.on('connection', connections.take);
  server.on('secureConnection', connections.secured);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseBrokenRequest(options, error, socket as never),
  );
  // Node's own answers to Expect (417, 100) are none of ours: it may be ignored (RFC 9110, 10.1.1). Where all refusals
  // are the same, so is this one.
  const { refusal } = options;
  const refuse = refusal && inTurn((request, response) => void send(request, response, refusal()));
  server.on('checkExpectation', refuse ?? handle);
  // A client that waits for `100 Continue` gets it when its body is read; on the boot plane never.
  server.on('checkContinue', handle);
  const { listen, sharing, doors } = options;
  const guest = { plane: MANAGEMENT, known: (address: string) => Boolean(options.known?.(address)) };
  const way =
    doors && server instanceof https.Server
      ? await sharedDoor(server, connections, { doors, guest, listen, sharing })
      : await (options.way?.(server, connections) ?? ownSocket(server, { ...listen, ...sharing }));
  return {
    address: way.address,
    async stop(grace) {
      life.stopping = true;
      for (const stream of life.streams) stream.end();
      leave?.();
      const closed = way.close();
      server.closeIdleConnections();
      // Also connections whose handshake is not done.
      const timer = setTimeout(() => connections.endAll(), grace);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Those of the connections, by the names that their count has there. */
export function connectionLimits(limits: typeof LIMITS): ConnectionLimits {
  return {
    all: limits.maxConnections,
    reserved: limits.connectionsReserved,
    each: limits.connectionsEach,
    network: limits.connectionsNetwork,
    known: limits.connectionsKnown,
  };
}

interface Life {
  stopping: boolean;
  /** Answers that never end by themselves. */
  streams: Set<ServerResponse>;
}

async function serve(
  options: ListenerOptions,
  life: Life,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { services } = options;
  let event: GatewayEvent | undefined;
  try {
    if (request.headers.host === undefined && request.httpVersion !== '1.0')
      throw new Problem('malformed_request', 'The Host header is missing.');
    await refuseForeignName(options, request);
    if ((request.url?.length ?? 0) > LIMITS.urlLength)
      throw new Problem('malformed_request', 'The request target is too long.');
    if (READ.has(request.method!) && leavesBody(request)) {
      await parsedSoFar(request);
      endUnlessRead(request, response);
    }
    if (request.url?.startsWith('/assets/') && options.assets.serve(request, response)) return;
    event = gatewayEvent(request, new RequestBody(request, response));
    if (await options.stream?.(request, response, event)) return follow(life, response);
    const answer = await options.answer(event);
    await parsedSoFar(request);
    // A listener that stops takes no more requests on a connection that it kept for this one.
    if (life.stopping) response.setHeader('connection', 'close');
    await send(request, response, answer);
  } catch (error) {
    const known = event ?? emptyEvent(request);
    // What is thrown between parts of an answer, nobody is told but by the end of the connection.
    if (!(error instanceof Problem) || response.headersSent)
      services.logger.error('listener failure', {
        failure: { name: (error as Error).name, message: (error as Error).message, stack: (error as Error).stack },
      });
    const answer = problemFor(asProblem(error), known, services);
    if (!response.headersSent) await send(request, response, options.refusal?.() ?? answer);
    else response.destroy();
  }
}

/** @throws Problem 421 */
export async function refuseForeignName({ names, doors }: ListenerOptions, request: IncomingMessage): Promise<void> {
  const { headers, socket } = request;
  const { host } = headers;
  if (doors?.isMisdirected(MANAGEMENT, request)) {
    delete headers.host;
    throw new Problem('host_unknown', 'This connection is not for the name in the Host header: open another one.');
  }
  if (!names || host === undefined) return;
  const own = names.has(host, plainAddress(socket.localAddress ?? ''));
  if (own === true || (await own)) return;
  // No document is to lead to it.
  delete headers.host;
  const name = /^[A-Za-z0-9.-]{1,253}(?=$|:)/.exec(host)?.[0] ?? 'what the Host header says';
  const detail = `${name} is no name of this appliance. Use its IP address, or set GROUNDCREW_BASE_URL to this name.`;
  throw new Problem('host_unknown', detail);
}

function follow({ stopping, streams }: Life, response: ServerResponse): void {
  if (stopping) return void response.end();
  if (response.destroyed) return;
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

async function send(request: IncomingMessage, response: ServerResponse, answer: GatewayAnswer): Promise<void> {
  if (answer.parts) return sendParts(request, response, answer, answer.parts);
  const constant = answer.constant ? await constantAnswer(request, answer.constant) : null;
  const statusCode = constant?.status ?? answer.statusCode;
  const plain = constant?.body ?? bodyOf(answer);
  const coded = answer.compress ? await compressed(request, Buffer.from(plain)) : null;
  const body = coded?.body ?? plain;
  const headers: Record<string, string | string[] | number> = {
    ...SECURITY_HEADERS,
    ...answer.headers,
    ...constant?.headers,
    ...coded?.headers,
  };
  if (answer.cookies && answer.cookies.length > 0) headers['set-cookie'] = answer.cookies;
  if (statusCode !== 304 && statusCode !== 204) headers['content-length'] = Buffer.byteLength(body);
  if ((response.socket as { encrypted?: boolean } | null)?.encrypted) Object.assign(headers, OVER_TLS);
  endUnlessRead(request, response, statusCode);
  response.writeHead(statusCode, headers);
  if (request.method === 'HEAD') response.end();
  else await sendBody(response, body);
}

/** Each part is made when there is room for it: how much is sent does not show in the memory. */
async function sendParts(
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, headers, cookies }: GatewayAnswer,
  parts: AsyncIterable<string>,
): Promise<void> {
  endUnlessRead(request, response, statusCode);
  const secure = (response.socket as { encrypted?: boolean } | null)?.encrypted ? OVER_TLS : {};
  response.writeHead(statusCode, {
    ...SECURITY_HEADERS,
    ...headers,
    ...secure,
    ...(cookies && { 'set-cookie': cookies }),
  });
  if (request.method !== 'HEAD') {
    for await (const part of parts) {
      if (response.destroyed) return;
      if (!response.write(part)) await drained(response);
    }
  }
  response.end();
}

/** Also when nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}

/** Short text stays text: it leaves in one piece with the headers. */
const TEXT_MOST = 8 << 10;

function bodyOf({ body, isBase64Encoded }: GatewayAnswer): string | Buffer {
  if (isBase64Encoded) return Buffer.from(body, 'base64');
  return body.length <= TEXT_MOST ? body : Buffer.from(body);
}

/** Files and streams are answered without a look at what comes with the request. */
const READ: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A body that was not read to its end: the connection can't have another request. */
function endUnlessRead(request: IncomingMessage, response: ServerResponse, status?: number): void {
  if (status !== 413 && !leavesBody(request)) return;
  response.setHeader('connection', 'close');
  lingerAfter(request, LIMITS.linger);
}

/** What node:http itself refused to parse, too slow or too large, still gets a problem document, or the one refusal. */
function refuseBrokenRequest(
  { services, refusal }: ListenerOptions,
  error: NodeJS.ErrnoException,
  socket: import('node:net').Socket,
): void {
  if (isEnding(socket)) return;
  // No answer is possible before the end of the handshake.
  if (error.code === 'ECONNRESET' || !socket.writable || !isOpened(socket)) return void socket.destroy();
  const [status, title] = BROKEN[error.code ?? ''] ?? [400, 'Invalid request'];
  const request_id = newId('req', services.entropy);
  const detail = 'The request could not be read.';
  // Nothing is known of the request, not even its Host.
  const secure = (socket as { encrypted?: boolean }).encrypted === true;
  const origin = originOf(services, { headers: {}, secure, connection: { ...localEnd(socket), open_ms: 0 } });
  const type = `${origin}/problems/invalid-request`;
  const document = JSON.stringify({
    type,
    title,
    status,
    detail,
    instance: '/',
    error_code: 'malformed_request',
    request_id,
  });
  const problem = {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'x-request-id': request_id },
    body: document,
  };
  const answer = refusal?.() ?? problem;
  const { statusCode, body } = answer;
  const length = Buffer.byteLength(body);
  const headers = { ...SECURITY_HEADERS, ...answer.headers, connection: 'close', 'content-length': length };
  services.logger.info('request', {
    request_id,
    status,
    error_code: 'malformed_request',
    source_address: socket.remoteAddress,
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = STATUS_CODES[statusCode] ?? title;
  endSoon(socket, LIMITS.linger, `HTTP/1.1 ${statusCode} ${reason}\r\n${lines.join('')}\r\n${body}`);
}

const BROKEN: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request headers too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timeout'],
};

function emptyEvent(request: IncomingMessage): GatewayEvent {
  const safe = {
    ...request,
    url: '/',
    method: request.method,
    headers: request.headers,
    socket: request.socket,
    httpVersion: '1.1',
  };
  return {
    ...gatewayEvent(safe as unknown as IncomingMessage, null),
    rawPath: (request.url ?? '/').split('?')[0]!.slice(0, 256),
  };
}
