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
  /** Where it stands, itself a link of the line: a set would make room anew again and again as requests come and go. */
  line: Line | null;
  before: Connection | null;
  after: Connection | null;
}

/** Connections of a holder that are quiet, or busy, those that have been so for longest first. */
export class Line implements Iterable<Connection> {
  #first: Connection | null = null;
  #last: Connection | null = null;

  append(connection: Connection): void {
    connection.line = this;
    connection.before = this.#last;
    if (this.#last) this.#last.after = connection;
    else this.#first = connection;
    this.#last = connection;
  }

  remove(connection: Connection): void {
    const { before, after } = connection;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    connection.line = connection.before = connection.after = null;
  }

  /** Also while the one that it gave last is removed. */
  *[Symbol.iterator](): Generator<Connection> {
    for (let at = this.#first; at; ) {
      const { after } = at;
      yield at;
      at = after;
    }
  }
}

export interface Holder {
  readonly network: string;
  open: number;
  /** By address. */
  readonly each: Map<string, number>;
  /** Those on which no request runs, unfinished handshakes with them: which was quiet for longest comes first. */
  readonly quiet: Line;
  readonly busy: Line;
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
      holder = { network, open: 0, each: new Map(), quiet: new Line(), busy: new Line() };
      this.#holders.set(network, holder);
    }
    const connection = { socket, address, holder, running: 0, line: null, before: null, after: null };
    holder.quiet.append(connection);
    holder.each.set(address, (holder.each.get(address) ?? 0) + 1);
    this.#move(holder, 1);
    return connection;
  }

  /** False when it was removed before. */
  remove(connection: Connection): boolean {
    const { holder, address } = connection;
    if (!connection.line) return false;
    connection.line.remove(connection);
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
    const to = connection.running > 0 ? busy : quiet;
    if (!connection.line || connection.line === to) return;
    connection.line.remove(connection);
    to.append(connection);
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
