// Connections that ask for another protocol: a refusal is a problem document like any other, and ends the connection.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '../shared/ground/problems.ts';
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import { asProblem } from '../shared/kernel/operation/problem-document.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { gatewayEvent } from './gateway-event.ts';
import { endSoon } from './linger.ts';
import { LIMITS, type ListenerOptions, refuseForeignName } from './listener.ts';
import { problemFor } from './router.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface Upgrade {
  wants(request: IncomingMessage): boolean;
  /** Takes the connection over. @throws Problem: it is refused */
  take(request: IncomingMessage, socket: Duplex, head: Buffer, event: GatewayEvent): Promise<void>;
}

interface Around {
  options: ListenerOptions;
  connections: ConnectionLimit;
  isStopping(): boolean;
}

/** Whether a request gets another protocol: all others are answered as if they had not asked for one. */
export const wanted =
  ({ upgrade }: ListenerOptions) =>
  (request: IncomingMessage): boolean =>
    upgrade?.wants(request) ?? false;

export function offerUpgrade(server: Server, around: Around): void {
  const { upgrade } = around.options;
  if (upgrade) server.on('upgrade', upgradeTo(upgrade, around));
}

function upgradeTo(upgrade: Upgrade, { options, connections, isStopping }: Around) {
  return async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => socket.destroy());
    if (isStopping()) return void socket.destroy();
    // It is busy until it ends: no newcomer takes its place.
    connections.runs(socket as Socket, socket as never);
    let event: GatewayEvent | null = null;
    try {
      await refuseForeignName(options, request);
      event = gatewayEvent(request, null);
      if (!upgrade.wants(request)) throw new Problem('malformed_request', 'No other protocol is spoken here.');
      await upgrade.take(request, socket, head, event);
    } catch (error) {
      refuse(options, socket as Socket, asProblem(error), event);
    }
  };
}

function refuse({ services }: ListenerOptions, socket: Socket, problem: Problem, event: GatewayEvent | null): void {
  if (socket.destroyed) return;
  const { statusCode, headers, body } = problemFor(problem, event ?? NOWHERE, services);
  const all = { ...SECURITY_HEADERS, ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  endSoon(socket, LIMITS.linger, `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`);
}

/** What is known of a request whose path or host can't be read. */
const NOWHERE: GatewayEvent = {
  version: '2.0',
  routeKey: '$default',
  rawPath: '/',
  rawQueryString: '',
  headers: {},
  cookies: [],
  queryStringParameters: {},
  pathParameters: {},
  requestContext: {
    http: { method: 'GET', path: '/', sourceIp: '', protocol: 'HTTP/1.1', userAgent: '' },
    requestId: '',
    secure: false,
  },
  body: null,
  isBase64Encoded: false,
} as GatewayEvent;
