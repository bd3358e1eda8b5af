// The socket side of the offline depot: HTTPS only, HTTP/1.1 with connections that are kept, and a certificate that is
// taken up while others are served. It answers to every name: machines ask here, by the one that their own DNS has, and
// each file needs a login or is meant for all.
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { isOpened, noteOpened } from './gateway-event.ts';
import { endSoon, isEnding, lingerAfter } from './linger.ts';
import { connectionLimits, LIMITS, type Listener } from './listener.ts';
import { bringsBody } from './request-body.ts';
import { RequestLimit } from './request-limit.ts';

/** Certificate with its chain, and key, as PEM. */
export interface Shown {
  cert: string;
  key: string;
}

export interface DepotListener extends Listener {
  /** New connections get this certificate; open ones keep theirs. */
  show(shown: Shown): void;
}

export interface DepotListenerOptions {
  services: Pick<Services, 'logger'>;
  listen: ListenAddress;
  shown: Shown;
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Whether this address logged in lately: a full listener reserves room for it. */
  known?(address: string): boolean;
  /** Other limits than MOST has. */
  limits?: Partial<typeof MOST>;
}

/**
 * What a client may hold, for how long (milliseconds) and how much (bytes, counts); all of it together stays bounded.
 */
const MOST = {
  ...LIMITS,
  /** Headers have a login and a range, and are short. */
  maxHeaderSize: 8 << 10,
  /** As nginx: an appliance that checks one file after the other does not connect anew each time. */
  keepAliveTimeout: 75_000,
  /** Nothing moves either way. */
  timeout: 90_000,
  /** A connection costs a quarter of a megabyte while its reader is slow. */
  maxConnections: 1_200,
  /**
   * An appliance loads several files at once, and a whole estate may come through one address; half is left to others.
   */
  connectionsEach: 600,
  connectionsNetwork: 800,
  connectionsReserved: 200,
  connectionsKnown: 64,
};

export async function startDepotListener({
  services,
  listen,
  shown,
  serve,
  known = () => false,
  limits,
}: DepotListenerOptions): Promise<DepotListener> {
  let stopping = false;
  const most = { ...MOST, ...limits };
  const requests = new RequestLimit(services, most.requestsEach);
  const connections = new ConnectionLimit(services, connectionLimits(most), known);
  const server = https.createServer({ ...most, ...shown, minVersion: 'TLSv1.2' }, (request, response) => {
    if (isEnding(request.socket)) return;
    connections.runs(request.socket, response);
    const begin = () => {
      // No body is ever read here: the connection can't carry another request behind one.
      if (bringsBody(request)) lingerAfter(request, LIMITS.linger);
      if (stopping || bringsBody(request)) response.shouldKeepAlive = false;
      void serve(request, response);
    };
    const turn = requests.take(request, response);
    if (turn === true) begin();
    else if (turn) void turn.then((come) => come && !isEnding(request.socket) && begin());
  });
  server.maxHeadersCount = most.maxHeadersCount;
  server.timeout = most.timeout;
  server.on('secureConnection', noteOpened);
  server.on('connection', connections.take);
  server.on('secureConnection', connections.secured);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isEnding(socket as Socket)) return;
    // No answer is possible before the end of the handshake.
    if (error.code === 'ECONNRESET' || !socket.writable || !isOpened(socket)) return void socket.destroy();
    const status = STATUSES[error.code ?? ''] ?? '400 Bad Request';
    const words = `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
    endSoon(socket as Socket, LIMITS.linger, words);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...listen, exclusive: true }, resolve);
  });
  server.on('error', (error) => services.logger.error('depot listener', { failure: { message: error.message } }));
  const { address, port } = server.address() as AddressInfo;
  return {
    address: { host: address, port },
    show: (next) => server.setSecureContext({ ...next, minVersion: 'TLSv1.2' }),
    async stop(grace) {
      stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Also those whose handshake is not done.
      const timer = setTimeout(() => connections.endAll(), grace);
      await closed;
      clearTimeout(timer);
    },
  };
}

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
