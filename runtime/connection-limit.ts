// How many connections of a listener may be open: together, from one remote address, and from one network of IPv6, where a
// machine takes what addresses it likes. Half a request on each of a thousand must not keep every other machine out, and
// however full it is, there is room for those that are known. Node's own `maxConnections` drops without a look.
import type { Socket } from 'node:net';
import { plainAddress, sourceNetwork } from '../shared/network/source.ts';
import type { Services } from '../shared/operation/services.ts';
import { LOOPBACK } from './listener-set.ts';

/** Counts of connections. */
export interface ConnectionLimits {
  /** Of the listener, and what of them is kept for addresses that are known. */
  all: number;
  reserved: number;
  /** Of one address. All who come through it (NAT, a proxy) share it. */
  each: number;
  /** Of one /64 of IPv6. */
  network: number;
  /** Of one known address while the listener is full for others: none of them takes all that is kept. */
  known: number;
}

interface Held {
  open: number;
  /** Said once, until there is no connection any more: what is refused costs the log nothing. */
  told: boolean;
}

export class ConnectionLimit {
  readonly #services: Pick<Services, 'logger'>;
  readonly #most: ConnectionLimits;
  readonly #known: (address: string) => boolean;
  readonly #all: Held = { open: 0, told: false };
  /** By address, and by network. */
  readonly #held = new Map<string, Held>();
  readonly #sockets = new Set<Socket>();

  /** @param known whether somebody at an address showed lately who he is */
  constructor(services: Pick<Services, 'logger'>, most: ConnectionLimits, known: (address: string) => boolean) {
    this.#services = services;
    this.#most = most;
    this.#known = (address) => LOOPBACK.includes(address) || known(address);
  }

  /** Listens to `connection`, which is before TLS. One that is too many ends without an answer. */
  readonly take = (socket: Socket): void => {
    // It ended before anybody looked.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const source_address = plainAddress(socket.remoteAddress);
    const network = sourceNetwork(source_address);
    const { each, network: most_network } = this.#most;
    if (this.#beyond(source_address, each, { source_address }) || this.#full(source_address))
      return void socket.destroy();
    if (network !== source_address && this.#beyond(network, most_network, { source_network: network }))
      return void socket.destroy();
    const counted = [...new Set([source_address, network])];
    for (const key of counted) this.#count(key, 1);
    this.#all.open += 1;
    this.#sockets.add(socket);
    socket.once('close', () => {
      for (const key of counted) this.#count(key, -1);
      this.#all.open -= 1;
      this.#sockets.delete(socket);
      if (this.#all.open < this.#openToAll / 2) this.#all.told = false;
    });
  };

  /** Ends every connection at once. */
  endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  get #openToAll(): number {
    return this.#most.all - this.#most.reserved;
  }

  #beyond(key: string, most: number, who: object): boolean {
    const held = this.#held.get(key);
    if (!held || held.open < most) return false;
    if (!held.told) this.#services.logger.warn('too many connections', { ...who, most });
    held.told = true;
    return true;
  }

  #full(address: string): boolean {
    const { all, known } = this.#most;
    if (this.#all.open < this.#openToAll) return false;
    if (!this.#all.told) this.#services.logger.warn('the listener is full', { open: this.#all.open });
    this.#all.told = true;
    return this.#all.open >= all || (this.#held.get(address)?.open ?? 0) >= known || !this.#known(address);
  }

  #count(key: string, change: 1 | -1): void {
    const held = this.#held.get(key) ?? { open: 0, told: false };
    held.open += change;
    if (held.open === 0) this.#held.delete(key);
    else this.#held.set(key, held);
  }
}
