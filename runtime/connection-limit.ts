// How many connections of a listener may be open: in all, per remote address, and per IPv6 /64, since a machine may use any
// address of its /64. A thousand unfinished requests must not keep every other machine out, so some room is reserved for known
// addresses. Node's own `maxConnections` can't tell them apart.
import type { Socket } from 'node:net';
import { plainAddress, sourceNetwork } from '../shared/network/source.ts';
import type { Services } from '../shared/operation/services.ts';
import { LOOPBACK } from './listener-set.ts';

/** Counts of connections. */
export interface ConnectionLimits {
  /** For the whole listener, and how many of them are reserved for known addresses. */
  all: number;
  reserved: number;
  /** Per address. All clients behind it (NAT, a proxy) share it. */
  each: number;
  /** Of one /64 of IPv6. */
  network: number;
  /** Per known address while the listener is full for others, so that none takes the whole reserve. */
  known: number;
}

interface Held {
  open: number;
  /** Logged once until all connections have ended, so that refusals can't fill the log. */
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

  /** @param known whether somebody at this address signed in or used a token lately */
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
