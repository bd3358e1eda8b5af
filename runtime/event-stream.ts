// The one server-sent event stream of a browser: it signals that jobs or pending changes moved, without their content,
// so that a page reloads through the same checked operations.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pagePath } from '../shared/ground/page-paths.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { Actor } from '../shared/kernel/access/actor.ts';
import { authenticateSession } from '../shared/kernel/access/session.ts';
import { readCookies } from '../shared/kernel/operation/define-operation.ts';
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import { sessionCookie } from '../shared/kernel/operation/middleware/authentication.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export const EVENTS_PATH = pagePath('events');

/**
 * Streams at once: in all, since each holds a socket; per session, whose browser opens at most six connections to a
 * host; and per user, so that no user takes them all.
 */
export const MOST_STREAMS = { all: 64, session: 6, user: 12 };
/** Proxies close silent connections; the session is looked at again as often. */
const PING_MS = 20_000;
/** A thousand events. */
const UNREAD_BYTES = 32 << 10;

export class EventStream {
  readonly #services: Services;
  readonly #streams = new Map<ServerResponse, Actor>();

  constructor(services: Services) {
    this.#services = services;
  }

  publish(topic: 'jobs' | 'pending'): void {
    for (const stream of this.#streams.keys()) {
      // A client that reads nothing for so long gets no more events.
      if (stream.writableLength > UNREAD_BYTES) stream.destroy();
      else stream.write(`event: ${topic}\ndata: {}\n\n`);
    }
  }

  /** Takes over a GET of the stream's path from a signed-in browser. @throws Problem 401, 429 */
  async take(request: IncomingMessage, response: ServerResponse, event: GatewayEvent): Promise<boolean> {
    if (event.rawPath !== EVENTS_PATH || request.method !== 'GET') return false;
    const id = sessionCookie(readCookies(event.cookies), event.requestContext.secure);
    const session = async () => (id === null ? null : authenticateSession(this.#services.store, this.#services, id));
    const found = await session();
    if (!found) throw new Problem('session_required', 'Sign in to follow events.');
    if (response.destroyed) return true;
    // From here on nothing is waited for: a place that is free is taken at once, and given back whenever the client
    // goes.
    this.#refuseTooMany(found.actor);
    this.#streams.set(response, found.actor);
    response.on('close', () => this.#streams.delete(response));
    response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 3000\n\n');
    const ping = setInterval(() => {
      void session().then(
        (alive) => (alive ? response.write(': ping\n\n') : response.end()),
        () => response.end(),
      );
    }, PING_MS);
    response.on('close', () => clearInterval(ping));
    return true;
  }

  close(): void {
    for (const stream of this.#streams.keys()) stream.end();
  }

  /**
   * The new one, not the oldest: a browser connects again when its stream ends, and would take the place of the next.
   */
  #refuseTooMany({ credential_id, user_id }: Actor): void {
    const open = [...this.#streams.values()];
    const full =
      open.length >= MOST_STREAMS.all ||
      open.filter((actor) => actor.user_id === user_id).length >= MOST_STREAMS.user ||
      open.filter((actor) => actor.credential_id === credential_id).length >= MOST_STREAMS.session;
    if (!full) return;
    throw new Problem('too_many_attempts', 'Too many pages follow events; this one polls instead.', {
      retry_after: 60,
    });
  }
}
