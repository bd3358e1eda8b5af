// Sockets to one machine whose certificate was confirmed: each shows it before HTTP gets hold of the socket. Nothing of
// one connection helps the next: no cached session, so that every handshake carries the certificate.
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { certificateChanged, notVouched } from './faults.ts';
import type { Target } from './target.ts';
import { openTls } from './tls-socket.ts';

export interface Peer extends Target {
  /** The address that was checked and confirmed; nothing else is dialled. */
  address: string;
  /** SHA-256 of the confirmed certificate: `AA:BB:…`. */
  sha256: string;
  /** Another certificate is accepted as well if an authority that this machine trusts issued it for the name. */
  or_vouched?: boolean;
}

const MOST_SOCKETS = 6;
/** Shorter than servers keep an idle connection, so that a request seldom meets one that is just being closed. */
const IDLE_MS = 3000;

type Made = (error: Error | null, socket?: Duplex) => void;

export class PinnedAgent extends Agent {
  readonly #peer: Peer;
  readonly #timeout: number;
  readonly #closed = new AbortController();

  /** `timeout`: milliseconds for a connection and its handshake. */
  constructor(peer: Peer, timeout: number) {
    super({ keepAlive: true, maxSockets: MOST_SOCKETS, maxFreeSockets: 2, timeout: IDLE_MS, maxCachedSessions: 0 });
    this.#peer = peer;
    this.#timeout = timeout;
  }

  /** Node calls this for each new socket; options of the request are ignored. */
  override createConnection(_options: object, made: Made): undefined {
    this.#open().then(
      (socket) => made(null, socket),
      (error: Error) => made(error),
    );
  }

  /** Idle sockets go; a server may have closed them meanwhile. */
  dropIdle(): void {
    for (const socket of Object.values(this.freeSockets).flatMap((list) => list ?? [])) socket.destroy();
  }

  /** Ends every connection, also those that are being opened. */
  close(): void {
    this.#closed.abort(new Error('The client was closed.'));
    this.destroy();
  }

  get closed(): boolean {
    return this.#closed.signal.aborted;
  }

  async #open(): Promise<TLSSocket> {
    const { address, sha256, or_vouched = false } = this.#peer;
    const socket = await openTls({
      address,
      target: this.#peer,
      timeout: this.#timeout,
      signal: this.#closed.signal,
    });
    const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? null;
    // Node verifies chain and name in any case, and says so here: it is told not to end the connection for it.
    const accepted = shown === sha256 || (or_vouched && shown !== null && socket.authorized);
    // A resumed session shows the certificate of an earlier connection.
    if (accepted && !socket.isSessionReused()) return socket;
    socket.on('error', () => undefined).destroy();
    throw or_vouched ? notVouched(this.#peer) : certificateChanged(this.#peer, sha256, shown);
  }
}
