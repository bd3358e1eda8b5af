// Limits the open connections of a listener: in all, from one remote address, and from one IPv6 network, where a
// machine can choose its addresses. A thousand connections with half a request each must not keep every other machine
// out: there is room for known addresses, and a newcomer replaces a connection of the largest holder. Node's own
// `maxConnections` drops connections blindly.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { type Connection, ConnectionHolders, type Holder } from './connection-holders.ts';
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

/** A holder of fewer connections loses none to a newcomer: a browser and a machine that boots have fewer. */
export const MANY = 8;

export class ConnectionLimit {
  readonly #services: Pick<Services, 'logger'>;
  readonly #most: ConnectionLimits;
  readonly #known: (address: string) => boolean;
  readonly #holders = new ConnectionHolders();
  readonly #connections = new WeakMap<Socket, Connection>();
  /** By both ends, until its handshake is done. */
  readonly #handshakes = new Map<string, Connection>();
  /**
   * Addresses and networks whose limit was logged, until they have no connection any more: further refusals are not
   * logged.
   */
  readonly #told = new Set<string>();
  /** Who waits until no connection is left. */
  #awaited: (() => void)[] = [];
  #open = 0;
  #fullTold = false;

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
    const address = plainAddress(socket.remoteAddress);
    if (this.#beyond(address) || !this.#place(address)) return void socket.destroy();
    const connection = this.#holders.add(socket, address);
    const ends = endsOf(socket);
    this.#connections.set(socket, connection);
    this.#handshakes.set(ends, connection);
    this.#open += 1;
    socket.once('close', () => {
      if (this.#handshakes.get(ends) === connection) this.#handshakes.delete(ends);
      this.#leave(connection);
    });
  };

  /** Listens to `secureConnection`: the same connection has another socket from now on. */
  readonly secured = (socket: Socket): void => {
    const ends = endsOf(socket);
    const connection = this.#handshakes.get(ends);
    this.#handshakes.delete(ends);
    if (connection) this.#connections.set(socket, connection);
  };

  /** A request runs on it until its answer has left: while others are quiet, it is not dropped. */
  runs(socket: Socket, response: Pick<ServerResponse, 'once'>): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    this.#holders.run(connection, 1);
    response.once('close', () => this.#holders.run(connection, -1));
  }

  /** It goes on elsewhere: from now on it is not counted here. */
  release(socket: Socket): void {
    this.#handshakes.delete(endsOf(socket));
    const connection = this.#connections.get(socket);
    if (connection) this.#leave(connection);
  }

  /** Resolves once no connection is left. */
  emptied(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#awaited.push(resolve));
  }

  /** Ends every connection at once. */
  endAll(): void {
    for (const { socket } of [...this.#holders.all()]) socket.destroy();
  }

  get #openToAll(): number {
    return this.#most.all - this.#most.reserved;
  }

  #beyond(source_address: string): boolean {
    const holder = this.#holders.of(source_address);
    const { each, network } = this.#most;
    if (!holder) return false;
    if ((holder.each.get(source_address) ?? 0) >= each) {
      return this.#tell(source_address, { source_address, most: each });
    }
    if (holder.network === source_address || holder.open < network) return false;
    return this.#tell(holder.network, { source_network: holder.network, most: network });
  }

  #tell(key: string, who: Record<string, string | number>): true {
    if (!this.#told.has(key)) this.#services.logger.warn('too many connections', who);
    this.#told.add(key);
    return true;
  }

  /** Whether there is a place, or one was made. */
  #place(address: string): boolean {
    const { all, known } = this.#most;
    if (this.#open < this.#openToAll) return true;
    if (!this.#fullTold) this.#services.logger.warn('the listener is full', { open: this.#open });
    this.#fullTold = true;
    const holder = this.#holders.of(address);
    const kept = this.#open < all && (holder?.each.get(address) ?? 0) < known && this.#known(address);
    return kept || this.#makePlace(holder?.open ?? 0);
  }

  /**
   * Ends one connection of the largest holder, if it has many, and more than twice as many as the newcomer with this
   * one: so an attacker who fills the listener keeps nobody out, and repeated connections give nobody more than a fair
   * share.
   */
  #makePlace(own: number): boolean {
    const more = Math.max(MANY - 1, 2 * (own + 1));
    for (const holder of this.#holders.above(more)) {
      const connection = this.#loosest(holder, more);
      if (!connection) continue;
      this.#leave(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  /**
   * The first to go: a quiet one before one with a request, the oldest first. None when what is not kept is not `more`.
   */
  #loosest({ each, quiet, busy }: Holder, more: number): Connection | null {
    let loose = 0;
    for (const [address, open] of each) {
      if (!this.#isKept(address, open)) loose += open;
      if (loose > more) break;
    }
    if (loose <= more) return null;
    for (const connections of [quiet, busy]) {
      for (const connection of connections) {
        if (!this.#isKept(connection.address, each.get(connection.address)!)) return connection;
      }
    }
    return null;
  }

  /** Loopback always; a known address as far as the listener has reserved places. */
  #isKept(address: string, open: number): boolean {
    return LOOPBACK.includes(address) || (open <= this.#most.known && this.#known(address));
  }

  /** From now on it is not counted. */
  #leave(connection: Connection): void {
    if (!this.#holders.remove(connection)) return;
    this.#open -= 1;
    const { address, holder } = connection;
    if (!holder.each.has(address)) this.#told.delete(address);
    if (holder.open === 0) this.#told.delete(holder.network);
    if (this.#open < this.#openToAll / 2) this.#fullTold = false;
    if (this.#open === 0) for (const tell of this.#awaited.splice(0)) tell();
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
