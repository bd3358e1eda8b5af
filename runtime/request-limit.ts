// How many requests of one connection may wait for their answers. Node reads on for as long as no answer is written: who
// sends requests without end, and one behind the other (pipelining), would have all of them kept in memory.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Services } from '../shared/operation/services.ts';

export class RequestLimit {
  readonly #services: Pick<Services, 'logger'>;
  readonly #most: number;
  readonly #waiting = new WeakMap<Socket, number>();

  constructor(services: Pick<Services, 'logger'>, most: number) {
    this.#services = services;
    this.#most = most;
  }

  /** Whether it may be answered. The connection of one that is too many ends, with all that waits on it. */
  take({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // What had been read of it already is still told, one request after the other.
    if (socket.destroyed) return false;
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    if (waiting > this.#most) {
      const { remoteAddress: source_address } = socket;
      this.#services.logger.warn('too many requests at once on a connection', { source_address, most: this.#most });
      socket.destroy();
      return false;
    }
    this.#waiting.set(socket, waiting);
    response.once('close', () => this.#waiting.set(socket, this.#waiting.get(socket)! - 1));
    return true;
  }
}
