// How many requests of one connection may wait. Node keeps reading while no answer is written: a client that pipelines without
// end would have all its requests kept in memory, and all answers made before it reads the first. So only a few may wait, and
// none begins before the answer to the one before has been sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';

export class RequestLimit {
  readonly #services: Pick<Services, 'logger'>;
  readonly #most: number;
  readonly #waiting = new WeakMap<Socket, number>();

  constructor(services: Pick<Services, 'logger'>, most: number) {
    this.#services = services;
    this.#most = most;
  }

  /**
   * Whether it may be answered, or a promise of that for one that waits behind another. False: there is nobody to answer.
   * The connection of one that is too many ends, with all that waits on it.
   */
  take({ socket }: IncomingMessage, response: ServerResponse): boolean | Promise<boolean> {
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
    // Its turn comes with the socket.
    return response.socket !== null || hasTurn(socket, response);
  }
}

/** False when the connection ended before. */
const hasTurn = (socket: Socket, response: ServerResponse): Promise<boolean> =>
  new Promise((resolve) => {
    const ended = (): void => resolve(false);
    // Not a leak: no more wait than the listener permits.
    socket.setMaxListeners(0);
    socket.once('close', ended);
    response.once('socket', () => {
      socket.off('close', ended);
      resolve(true);
    });
  });
