// The one server-sent event stream of a browser: it says that jobs or pending changes moved, never what they are, so
// that a page reloads what it shows through the same checked operations.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticateSession } from '../shared/access/session.ts';
import { readCookies } from '../shared/operation/define-operation.ts';
import type { GatewayEvent } from '../shared/operation/event.ts';
import { sessionCookie } from '../shared/operation/middleware/authentication.ts';
import { Problem } from '../shared/operation/problems.ts';
import type { Services } from '../shared/operation/services.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export const EVENTS_PATH = '/ui/management/events';

/** Streams at once, per process: each holds a socket. */
const MOST_STREAMS = 64;
/** Proxies close silent connections; the session is looked at again as often. */
const PING_MS = 20_000;

export class EventStream {
  readonly #services: Services;
  readonly #streams = new Set<ServerResponse>();

  constructor(services: Services) {
    this.#services = services;
  }

  publish(topic: 'jobs' | 'pending'): void {
    for (const stream of this.#streams) if (stream.headersSent) stream.write(`event: ${topic}\ndata: {}\n\n`);
  }

  /** Takes over a GET of the stream's path from a signed-in browser. @throws Problem 401, 429 */
  async take(request: IncomingMessage, response: ServerResponse, event: GatewayEvent): Promise<boolean> {
    if (event.rawPath !== EVENTS_PATH || request.method !== 'GET') return false;
    const id = sessionCookie(readCookies(event.cookies), event.requestContext.secure);
    const alive = async () =>
      id !== null && (await authenticateSession(this.#services.store, this.#services, id)) !== null;
    if (this.#streams.size >= MOST_STREAMS) {
      throw new Problem('too_many_attempts', 'Too many pages follow events; this one polls instead.', {
        retry_after: 60,
      });
    }
    // The slot is taken before anything is waited for, and given back whenever the client goes.
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    if (!(await alive())) {
      this.#streams.delete(response);
      throw new Problem('session_required', 'Sign in to follow events.');
    }
    if (response.destroyed) return true;
    response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 3000\n\n');
    const ping = setInterval(() => {
      void alive().then(
        (yes) => (yes ? response.write(': ping\n\n') : response.end()),
        () => response.end(),
      );
    }, PING_MS);
    response.on('close', () => clearInterval(ping));
    return true;
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }
}
