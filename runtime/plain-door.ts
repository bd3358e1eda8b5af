// One socket that planes of plain HTTP share. Like the door over TLS it answers nothing itself: it reads which plane the first
// request of a connection is for, and hands the connection with all of its bytes to the server of that plane, which has its own
// limits. So what floods one plane is no matter of the other. Before a plane is known there are few places, for a short time.
import { createServer, type Server, type Socket } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { endSoon } from './linger.ts';
import { UNNAMED } from './tls-door.ts';

/** What the first request of a connection is for; null where that can't be read: its plane says so. */
export interface First {
  rawPath: string;
  headers: { host?: string };
}

/** Takes over a connection of which nothing was read. */
export type Accept = (socket: Socket) => void;

export interface PlainDoorOptions {
  services: Pick<Services, 'logger'>;
  listen: ListenAddress;
  /** The one that has all connections; null while there are several, or none. */
  alone(): Accept | null;
  /** Who answers what is asked for; null: nobody. */
  choose(first: First | null): Promise<Accept | null>;
  head_ms?: number;
}

/** From the first byte, or none, to the end of the head, milliseconds: as the servers of the planes have it. */
const HEAD_MS = 10_000;
/** A head that is longer is refused by its plane. Bytes. */
const HEAD_MOST = 16 << 10;
/** Each piece is looked at anew, so there may not be many. */
const PIECES_MOST = 64;
const LINGER_MS = 1_000;
const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

export class PlainDoor {
  readonly #options: PlainDoorOptions;
  readonly #unnamed: ConnectionLimit;
  readonly #server: Server;

  constructor(options: PlainDoorOptions) {
    this.#options = options;
    this.#unnamed = new ConnectionLimit(options.services, UNNAMED, () => false);
    this.#server = createServer({ noDelay: true }, (socket) => this.#take(socket));
  }

  /** @throws Error (EADDRINUSE…) */
  async open(): Promise<ListenAddress> {
    const { listen, services } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(listen, resolve);
    });
    this.#server.on('error', ({ message }) => services.logger.error('shared listener', { failure: { message } }));
    const { address, port } = this.#server.address() as { address: string; port: number };
    return { host: address, port };
  }

  /** Nobody new comes in, and who did not say whom he asks for ends. */
  close(): void {
    this.#server.close();
    this.#unnamed.endAll();
  }

  #take(socket: Socket): void {
    // It ended before anybody looked.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const { alone, head_ms = HEAD_MS } = this.#options;
    const accept = alone();
    if (accept) return void accept(socket);
    this.#unnamed.take(socket);
    if (socket.destroyed) return;
    hear(socket, head_ms, (first) => void this.#hand(socket, first));
  }

  async #hand(socket: Socket, first: First | null): Promise<void> {
    const ended = (): void => void socket.destroy();
    socket.on('error', ended);
    const accept = await this.#options.choose(first).catch(() => null);
    if (socket.destroyed) return;
    socket.off('error', ended);
    if (accept === null) return void socket.destroy();
    this.#unnamed.release(socket);
    accept(socket);
  }
}

/** Pure. `more`: the head is not there to its end. Never throws. */
export function firstIn(bytes: Buffer): First | null | 'more' {
  const text = bytes.toString('latin1', 0, HEAD_MOST);
  // An empty line may stand in front (RFC 9112, 2.2).
  const [, head, end] = /^(?:\r?\n)*(.*?)(\r?\n\r?\n|$)/s.exec(text)!;
  if (!/^[A-Za-z]{0,16}(?: |$)/.test(head!)) return null;
  if (end === '') return bytes.length >= HEAD_MOST ? null : 'more';
  const [line = '', ...fields] = head!.split(/\r?\n/);
  const [, target] = /^[A-Za-z]+ (\S+) HTTP\/\d\.\d$/.exec(line) ?? [];
  if (target === undefined) return null;
  const host = fields
    .find((field) => /^host:/i.test(field))
    ?.slice('host:'.length)
    .trim();
  return { rawPath: target.split('?')[0]!, headers: host === undefined ? {} : { host } };
}

/** Reads the head, puts its bytes back, and tells what is in it. A connection without one in time is refused. */
function hear(socket: Socket, limit: number, tell: (first: First | null) => void): void {
  const parts: Buffer[] = [];
  const timer = setTimeout(() => {
    stop();
    endSoon(socket, LINGER_MS, TOO_SLOW);
    socket.resume();
  }, limit);
  const ended = (): void => void socket.destroy();
  const read = (): void => {
    const part = socket.read() as Buffer | null;
    if (part === null) return;
    parts.push(part);
    const bytes = parts.length === 1 ? part : Buffer.concat(parts);
    const first = firstIn(bytes);
    if (first === 'more' && parts.length < PIECES_MOST) return;
    stop();
    socket.unshift(bytes);
    tell(first === 'more' ? null : first);
  };
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', read).off('end', ended).off('close', stop).off('error', ended);
  };
  socket.on('readable', read).on('end', ended).on('close', stop).on('error', ended);
}
