// From a node:http request to a gateway event (payload format 2.0): the same shape that a cloud API gateway sends.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { Connection, GatewayEvent, IncomingBody } from '../shared/kernel/operation/event.ts';

const opened = new WeakMap<object, number>();

/** Told of every socket that a listener accepts: a connection that was there before a change proves nothing about it. */
export function noteOpened(socket: object): void {
  opened.set(socket, performance.now());
}

/** Whether it was accepted to its end: over TLS, whether its handshake is done. */
export const isOpened = (socket: object): boolean => opened.has(socket);

/** Where a connection arrived. */
export function localEnd({ localAddress = '', localPort }: Socket): Pick<Connection, 'local_address' | 'local_port'> {
  return { local_address: plainAddress(localAddress), ...(localPort !== undefined && { local_port: localPort }) };
}

/** @throws Problem 400 for a path that is not valid percent-encoding or holds control characters. */
export function gatewayEvent(request: IncomingMessage, incoming: IncomingBody | null): GatewayEvent {
  const url = request.url ?? '/';
  const cut = url.indexOf('?');
  const rawPath = cut < 0 ? url : url.slice(0, cut);
  const rawQueryString = cut < 0 ? '' : url.slice(cut + 1);
  refuseMalformedPath(rawPath);
  const headers: Record<string, string> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    if (value !== undefined && name !== 'cookie') headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  const method = request.method ?? 'GET';
  const { socket } = request;
  const now = performance.now();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    cookies: request.headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [],
    queryStringParameters: rawQueryString === '' ? {} : Object.fromEntries(new URLSearchParams(rawQueryString)),
    pathParameters: {},
    requestContext: {
      http: {
        method,
        path: rawPath,
        sourceIp: plainAddress(socket.remoteAddress ?? ''),
        protocol: `HTTP/${request.httpVersion}`,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: '',
      secure: (socket as TLSSocket).encrypted === true,
      connection: { ...localEnd(socket), open_ms: now - (opened.get(socket) ?? now) },
    },
    body: null,
    isBase64Encoded: false,
    ...(incoming && { incoming }),
  };
}

function refuseMalformedPath(path: string): void {
  if (!path.startsWith('/')) throw new Problem('malformed_request', 'The request target must be a path.');
  if (!path.includes('%')) return;
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (!/[\x00-\x1f\x7f]/.test(decodeURIComponent(path))) return;
  } catch {
    // Falls through to the refusal.
  }
  throw new Problem('malformed_request', 'The path is not valid percent-encoded UTF-8.');
}
