// One socket that several planes share over TLS. It makes no handshake: it reads which name a client asks for, and hands
// the connection with all of its bytes to the plane of that name, which has its own certificate, session keys, limits and
// timeouts. So what floods one plane, or breaks its certificate, is no matter of another. Before a plane is known there
// are few places, for a short time.
import { createServer, type Server, type Socket } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';
import { type Named, nameIn } from './client-hello.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit, type ConnectionLimits } from './connection-limit.ts';
import { endSoon } from './linger.ts';
import type { Sharing } from './listener.ts';

/** A plane that answers at a door. */
export interface Guest {
  plane: string;
  /** Takes over a connection of which nothing was read. */
  accept(socket: Socket): void;
  /** Whether somebody at this address signed in lately: a full door reserves room for it. */
  known(address: string): boolean;
}

/**
 * Connections whose plane is not known yet. A busy service takes all that wait before it reads the first of them: so one
 * address may have as many as any plane lets it have. Each holds a hello at most, and no state of TLS.
 */
export const UNNAMED: ConnectionLimits = { all: 2_048, reserved: 256, each: 640, network: 1_024, known: 128 };
/** From the first byte, or none, to the end of the hello, milliseconds. */
export const HELLO_MS = 5_000;
/** A hello comes in a packet or two. Each piece is looked at anew, so there may not be many. */
const PIECES_MOST = 64;
/** What a refused client gets to read its refusal, milliseconds. */
const LINGER_MS = 1_000;

/** The fatal alert `unrecognized_name` (RFC 6066, 3; RFC 8446, 6) as a record. It tells nothing of who is here. */
const UNRECOGNIZED_NAME = '\x15\x03\x03\x00\x02\x02\x70';

export interface DoorOptions {
  services: Pick<Services, 'logger'>;
  listen: ListenAddress;
  sharing: Sharing | { exclusive: true };
  /** Who answers: a guest at once, or by the name that is asked for; null: nobody. */
  choose(socket: Socket): Guest | ((name: string | null) => Guest | null) | null;
  limits?: { unnamed?: Partial<ConnectionLimits>; hello_ms?: number };
}

export class Door {
  readonly guests = new Map<string, Guest>();
  readonly #options: DoorOptions;
  readonly #unnamed: ConnectionLimit;
  readonly #server: Server;

  constructor(options: DoorOptions) {
    this.#options = options;
    const most = { ...UNNAMED, ...options.limits?.unnamed };
    this.#unnamed = new ConnectionLimit(options.services, most, (address) =>
      [...this.guests.values()].some((guest) => guest.known(address)),
    );
    // As the listeners of the planes open their own sockets.
    this.#server = createServer({ noDelay: true }, (socket) => this.#take(socket));
  }

  /** @throws Error (EADDRINUSE…) */
  async open(): Promise<ListenAddress> {
    const { listen, sharing, services } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ ...listen, ...sharing }, resolve);
    });
    this.#server.on('error', ({ message }) => services.logger.error('shared listener', { failure: { message } }));
    const { address, port } = this.#server.address() as { address: string; port: number };
    return { host: address, port };
  }

  /** Nobody new comes in. Who did not say yet whom he asks for still may; resolves when nobody is left who might. */
  close(): Promise<void> {
    this.#server.close();
    return this.#unnamed.emptied();
  }

  /** Ends connections that no guest has. */
  end(): void {
    this.#unnamed.endAll();
  }

  #take(socket: Socket): void {
    // It ended before anybody looked.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const choice = this.#options.choose(socket);
    if (choice === null) return void socket.destroy();
    if (typeof choice !== 'function') return void choice.accept(socket);
    this.#unnamed.take(socket);
    if (socket.destroyed) return;
    hear(socket, this.#options.limits?.hello_ms ?? HELLO_MS, (name) => {
      const guest = choice(name);
      if (guest === null) {
        endSoon(socket, LINGER_MS, UNRECOGNIZED_NAME);
        return void socket.resume();
      }
      this.#unnamed.release(socket);
      guest.accept(socket);
    });
  }
}

/** Reads the hello, puts its bytes back, and tells the name in it. A connection without one in time ends. */
function hear(socket: Socket, limit: number, tell: (name: string | null) => void): void {
  const parts: Buffer[] = [];
  const timer = setTimeout(() => socket.destroy(), limit);
  const ended = (): void => void socket.destroy();
  const read = (): void => {
    const part = socket.read() as Buffer | null;
    if (part === null) return;
    parts.push(part);
    const bytes = parts.length === 1 ? part : Buffer.concat(parts);
    const named: Named = nameIn(bytes);
    if (named === 'more' && parts.length < PIECES_MOST) return;
    stop();
    socket.unshift(bytes);
    tell(typeof named === 'string' ? null : named.name);
  };
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', read).off('end', ended).off('close', stop).off('error', ended);
  };
  socket.on('readable', read).on('end', ended).on('close', stop).on('error', ended);
}
