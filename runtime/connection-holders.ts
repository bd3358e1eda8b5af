// Who holds the connections of a listener, those with most of them at hand: an IPv4 address or a /64 of IPv6 is one
// holder, whatever addresses it takes in there. Each step costs the same however many there are, because a flood takes
// one for each connection that it opens.
import type { Socket } from 'node:net';
import { sourceNetwork } from '../shared/ground/addresses/source.ts';

export interface Connection {
  readonly socket: Socket;
  /** As `plainAddress` writes it. */
  readonly address: string;
  readonly holder: Holder;
  /** Requests without an answer. */
  running: number;
}

export interface Holder {
  readonly network: string;
  open: number;
  /** By address. */
  readonly each: Map<string, number>;
  /** Those on which no request runs, unfinished handshakes with them: which was quiet for longest comes first. */
  readonly quiet: Set<Connection>;
  readonly busy: Set<Connection>;
}

export class ConnectionHolders {
  readonly #holders = new Map<string, Holder>();
  /** Holders by how many connections they have. */
  readonly #having: Set<Holder>[] = [];
  /** The longest of these lists that is not empty. A count moves by one, and so does this. */
  #most = 0;

  of(address: string): Holder | undefined {
    return this.#holders.get(sourceNetwork(address));
  }

  add(socket: Socket, address: string): Connection {
    const network = sourceNetwork(address);
    let holder = this.#holders.get(network);
    if (!holder) {
      holder = { network, open: 0, each: new Map(), quiet: new Set(), busy: new Set() };
      this.#holders.set(network, holder);
    }
    const connection = { socket, address, holder, running: 0 };
    holder.quiet.add(connection);
    holder.each.set(address, (holder.each.get(address) ?? 0) + 1);
    this.#move(holder, 1);
    return connection;
  }

  /** False when it was removed before. */
  remove(connection: Connection): boolean {
    const { holder, address } = connection;
    if (!holder.quiet.delete(connection) && !holder.busy.delete(connection)) return false;
    const left = holder.each.get(address)! - 1;
    if (left > 0) holder.each.set(address, left);
    else holder.each.delete(address);
    this.#move(holder, -1);
    if (holder.open === 0) this.#holders.delete(holder.network);
    return true;
  }

  /** A request on it begins (1), or its answer has left (-1). */
  run(connection: Connection, change: 1 | -1): void {
    const { quiet, busy } = connection.holder;
    connection.running += change;
    const [from, to] = connection.running > 0 ? [quiet, busy] : [busy, quiet];
    if (from.delete(connection)) to.add(connection);
  }

  /** Holders of more than so many connections, the largest first. */
  *above(open: number): Generator<Holder> {
    for (let count = this.#most; count > open; count--) yield* this.#having[count] ?? [];
  }

  *all(): Generator<Connection> {
    for (const { quiet, busy } of this.#holders.values()) yield* [...quiet, ...busy];
  }

  #move(holder: Holder, change: 1 | -1): void {
    this.#having[holder.open]?.delete(holder);
    holder.open += change;
    if (holder.open > 0) {
      this.#having[holder.open] ??= new Set();
      this.#having[holder.open]!.add(holder);
    }
    if (holder.open > this.#most) this.#most = holder.open;
    else if (this.#having[this.#most]?.size === 0) this.#most -= 1;
  }
}
