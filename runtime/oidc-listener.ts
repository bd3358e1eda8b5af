// The socket side of the OpenID Connect provider: HTTPS only, told apart by name where others share its address and port.
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { isOpened, noteOpened } from './gateway-event.ts';
import { endSoon, isEnding } from './linger.ts';
import { connectionLimits, LIMITS, type Listener } from './listener.ts';
import { RequestLimit } from './request-limit.ts';
import type { TlsDoors } from './tls-doors.ts';
import { sharedDoor } from './way-in.ts';

/** Certificate with its chain, and key, as PEM. */
export interface Shown {
  cert: string;
  key: string;
}

/** The name of this plane where it shares a door. */
export const OIDC = 'oidc';

export interface OidcListener extends Listener {
  /** New connections get this certificate; open ones keep theirs. */
  show(shown: Shown): void;
}

export interface OidcListenerOptions {
  services: Pick<Services, 'logger'>;
  listen: ListenAddress;
  doors: TlsDoors;
  shown: Shown;
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export async function startOidcListener(options: OidcListenerOptions): Promise<OidcListener> {
  const { services, listen, doors, shown, serve } = options;
  let stopping = false;
  const requests = new RequestLimit(services, LIMITS.requestsEach);
  const connections = new ConnectionLimit(services, connectionLimits(LIMITS), () => false);
  const server = https.createServer({ ...LIMITS, ...shown, minVersion: 'TLSv1.2' }, (request, response) => {
    if (isEnding(request.socket)) return;
    connections.runs(request.socket, response);
    const begin = () => {
      if (stopping) response.shouldKeepAlive = false;
      void serve(request, response);
    };
    const turn = requests.take(request, response);
    if (turn === true) begin();
    else if (turn) void turn.then((come) => come && !isEnding(request.socket) && begin());
  });
  server.maxHeadersCount = LIMITS.maxHeadersCount;
  server.timeout = LIMITS.timeout;
  server.on('secureConnection', noteOpened);
  server.on('connection', connections.take);
  server.on('secureConnection', connections.secured);
  server.on('clientError', refuse);
  const way = await sharedDoor(server, connections, { doors, guest: { plane: OIDC, known: () => false }, listen });
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

function refuse(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (isEnding(socket as Socket)) return;
  // No answer is possible before the end of the handshake.
  if (error.code === 'ECONNRESET' || !socket.writable || !isOpened(socket as Socket)) return void socket.destroy();
  const status = STATUSES[error.code ?? ''] ?? '400 Bad Request';
  endSoon(socket as Socket, LIMITS.linger, `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
