// How many connections of a listener one remote address may hold: half a request on each of a thousand must not keep every
// other machine out.
import type { Socket } from 'node:net';
import type { Services } from '../shared/operation/services.ts';

interface Held {
  open: number;
  /** Said once, until the address has no connection any more: what is refused costs the log nothing. */
  told: boolean;
}

export class ConnectionLimit {
  readonly #services: Pick<Services, 'logger'>;
  readonly #most: number;
  readonly #held = new Map<string, Held>();

  constructor(services: Pick<Services, 'logger'>, most: number) {
    this.#services = services;
    this.#most = most;
  }

  /** Listens to `connection`, which is before TLS. One that is too many ends without an answer. */
  readonly take = (socket: Socket): void => {
    const source_address = socket.remoteAddress;
    // It ended before anybody looked.
    if (source_address === undefined) return void socket.destroy();
    const held = this.#held.get(source_address) ?? { open: 0, told: false };
    if (held.open >= this.#most) {
      if (!held.told) this.#services.logger.warn('too many connections', { source_address, most: this.#most });
      held.told = true;
      return void socket.destroy();
    }
    held.open += 1;
    this.#held.set(source_address, held);
    socket.once('close', () => {
      held.open -= 1;
      if (held.open === 0) this.#held.delete(source_address);
    });
  };
}
