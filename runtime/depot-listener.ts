// The socket side of the offline depot: HTTPS only, HTTP/1.1 with connections that are kept, and a certificate that is
// taken up while others are served. Where it is alone it answers to every name: machines ask here, by the one that their
// own DNS has, and each file needs a login or is meant for all. Where others share its address and port, it answers to
// the name that was applied for it (tls-doors.ts).
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { isOpened, noteOpened } from './gateway-event.ts';
import { endSoon, isEnding, lingerAfter } from './linger.ts';
import { connectionLimits, LIMITS, type Listener } from './listener.ts';
import { bringsBody } from './request-body.ts';
import { RequestLimit } from './request-limit.ts';
import { TlsDoors } from './tls-doors.ts';
import { sharedDoor } from './way-in.ts';

/** Certificate with its chain, and key, as PEM. */
export interface Shown {
  cert: string;
  key: string;
}

/** The name of this plane where it shares a door. */
export const DEPOT = 'offline-depot';

export interface DepotListener extends Listener {
  /** New connections get this certificate; open ones keep theirs. */
  show(shown: Shown): void;
}

export interface DepotListenerOptions {
  services: Pick<Services, 'logger'>;
  listen: ListenAddress;
  /** Default: it shares its address and port with nobody. */
  doors?: TlsDoors;
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
  doors = new TlsDoors({ services }),
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
  const way = await sharedDoor(server, connections, { doors, guest: { plane: DEPOT, known }, listen });
  return {
    address: way.address,
    show: (next) => server.setSecureContext({ ...next, minVersion: 'TLSv1.2' }),
    async stop(grace) {
      stopping = true;
      const closed = way.close();
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
