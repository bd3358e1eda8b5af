// The WebSocket of the web terminal. Everything that can be refused is refused before the handshake: no session, a page of
// another origin, plain HTTP, an address that the terminal was not applied for. After it the first message is a ticket, which the
// page got for the user's own password, or what the page comes back with after a reload.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { pagePath } from '../shared/ground/page-paths.ts';
import { Problem } from '../shared/ground/problems.ts';
import { authenticateSession } from '../shared/kernel/access/session.ts';
import { readCookies } from '../shared/kernel/operation/define-operation.ts';
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import { sessionCookie } from '../shared/kernel/operation/middleware/authentication.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { opensAt, readManifest } from '../shared/services/web-terminal/manifest.ts';
import { visitsOf } from '../shared/services/web-terminal/remote-files/visits.ts';
import { LIMITS, SUBPROTOCOL } from '../shared/services/web-terminal/session/limits.ts';
import { mayOpen } from '../shared/services/web-terminal/session/may-open.ts';
import { LOOPBACK } from './listener-set.ts';
import { type Caller, TerminalConnection } from './terminal-connection.ts';
import { TerminalSessions } from './terminal-sessions.ts';

export const SOCKET_PATH = `${pagePath('web-terminal')}/socket`;

/** Connections that have shown no ticket yet, in all: each has ten seconds. */
const MOST_UNKNOWN = 16;

export interface DoorTimes {
  ticket_ms?: number;
  login_ms?: number;
  detached_ms?: number;
}

export class TerminalDoor {
  readonly sessions: TerminalSessions;
  readonly #services: Services;
  readonly #times: DoorTimes;
  readonly #server: WebSocketServer;
  readonly #open = new Set<TerminalConnection>();

  constructor(services: Services, times: DoorTimes = {}) {
    this.#services = services;
    this.#times = times;
    this.sessions = new TerminalSessions(services);
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: LIMITS.message,
      handleProtocols: () => SUBPROTOCOL,
    });
  }

  /** Whether a request is for it: all others are answered as if they asked for no other protocol. */
  readonly wants = ({ url, method, headers }: IncomingMessage): boolean =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url?.split('?', 1)[0] === SOCKET_PATH;

  /** Makes the handshake. @throws Problem 400, 401, 403, 409, 429: before it */
  async take(request: IncomingMessage, socket: Duplex, head: Buffer, event: GatewayEvent): Promise<void> {
    const caller = await this.#admitted(event);
    if (socket.destroyed) return;
    if ([...this.#open].filter(({ known }) => !known).length >= MOST_UNKNOWN)
      throw new Problem('too_many_attempts', 'Too many terminals are being opened. Try again soon.', {
        retry_after: 10,
      });
    this.#server.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      const { sessions } = this;
      const options = { services: this.#services, sessions, ws, caller, times: this.#times };
      const connection = new TerminalConnection(options);
      this.#open.add(connection);
      ws.on('close', () => this.#open.delete(connection));
    });
  }

  async stop(): Promise<void> {
    const ended = Promise.all([this.sessions.stop(), visitsOf(this.#services).stop()]);
    for (const connection of this.#open) connection.close('stopping');
    await ended;
  }

  async #admitted(event: GatewayEvent): Promise<Caller> {
    const { headers, requestContext, cookies } = event;
    const { http, secure, connection } = requestContext;
    const local = connection?.local_address ?? '';
    if (!secure && !LOOPBACK.includes(http.sourceIp))
      throw new Problem('foreign_origin', 'A terminal opens over HTTPS alone: passwords are typed into it.');
    const own = [`${secure ? 'https' : 'http'}://${headers.host}`, this.#services.settings.base_url];
    if (!headers.origin || !own.includes(headers.origin))
      throw new Problem('foreign_origin', 'This request was sent by a page of another origin.');
    const id = sessionCookie(readCookies(cookies), secure);
    const found = id === null ? null : await authenticateSession(this.#services.store, this.#services, id);
    if (!found || id === null) throw new Problem('session_required', 'Sign in to open a terminal.');
    if (!(await mayOpen(this.#services, id)))
      throw new Problem('insufficient_scope', 'Only an administrator can open a terminal.');
    if (!opensAt(await readManifest(this.#services.host), local))
      throw new Problem('state_conflict', 'The web terminal is not in force at this address.');
    if (!headers['sec-websocket-protocol']?.split(',').some((each) => each.trim() === SUBPROTOCOL))
      throw new Problem('malformed_request', `The WebSocket has to ask for the subprotocol ${SUBPROTOCOL}.`);
    return { actor: found.actor, session_id: id, local, source_address: http.sourceIp };
  }
}
