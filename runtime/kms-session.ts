// One connection of KMIP: whole messages one after the other, each answered before the next is read. Who asks is looked up for
// each of them, so that a certificate that is removed or revoked opens nothing from that moment.
import type { TLSSocket } from 'node:tls';
import { plainAddress } from '../shared/ground/addresses/source.ts';
import { TAG } from '../shared/services/kms/protocol/tags.ts';
import { MESSAGE_MOST, messageLength, TtlvFault } from '../shared/services/kms/protocol/ttlv.ts';
import { type Answered, answer } from '../shared/services/kms/serving/answer.ts';
import { type Caller, callerOf } from '../shared/services/kms/serving/caller.ts';
import type { KmsShell } from '../shared/services/kms/serving/operating.ts';
import type { Trace } from '../shared/services/kms/serving/trace.ts';

/** Milliseconds. */
export const KMS_TIMES = {
  /** Nothing moves either way; vCenter opens a connection for each request. */
  idle: 30_000,
  /** From the first byte of a message to its last. */
  message: 10_000,
  /** What a refused connection may still take. */
  linger: 3_000,
};

export interface SessionShell {
  services: KmsShell;
  trace: Trace;
  times?: Partial<typeof KMS_TIMES>;
  /** SHA-256 of the certificate of our own probe, and the digest of the state that is served; null while there is none. */
  probe(): { sha256: string; state: string } | null;
  /** Told of each stranger; `sha256` is null where it showed no certificate. */
  refused(address: string, sha256: string | null): void;
  /** Told of each client that is known. */
  met(address: string): void;
}

/** The certificate's SHA-256; null where the client showed none. */
const fingerprintOf = (socket: TLSSocket): string | null => socket.getPeerX509Certificate()?.fingerprint256 ?? null;

export class KmsSession {
  readonly #shell: SessionShell;
  readonly #socket: TLSSocket;
  readonly #address: string;
  readonly #sha256: string | null;
  readonly #times: typeof KMS_TIMES;
  #read: Buffer = Buffer.alloc(0);
  #busy = false;
  #stopping = false;
  #ending = false;
  #slow: NodeJS.Timeout | null = null;

  constructor(shell: SessionShell, socket: TLSSocket) {
    this.#shell = shell;
    this.#socket = socket;
    this.#address = plainAddress(socket.remoteAddress ?? '');
    this.#sha256 = fingerprintOf(socket);
    this.#times = { ...KMS_TIMES, ...shell.times };
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#forget());
  }

  /** A stranger is closed before a byte is read. */
  begin(): Promise<void> {
    return this.#begin().catch((error: Error) => this.#failed(error));
  }

  async #begin(): Promise<void> {
    const socket = this.#socket;
    if ((await this.#caller()) === null) {
      this.#shell.refused(this.#address, this.#sha256);
      return void socket.destroy();
    }
    if (socket.destroyed) return;
    this.#shell.met(this.#address);
    socket.setTimeout(this.#times.idle, () => socket.destroy());
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('end', () => socket.end());
  }

  /** The answer that is on its way still leaves. */
  stop(): void {
    this.#stopping = true;
    if (!this.#busy) this.#socket.destroy();
  }

  async #caller(): Promise<Caller | null> {
    if (this.#sha256 === null) return null;
    const probe = this.#shell.probe();
    if (probe?.sha256 === this.#sha256)
      return { provider: null, client: { id: '', name: 'probe' }, sha256: '', source_address: this.#address };
    const { services } = this.#shell;
    return callerOf(services.store, services, this.#sha256, this.#address);
  }

  #take(bytes: Buffer): void {
    if (this.#ending) return;
    this.#read = this.#read.length === 0 ? bytes : Buffer.concat([this.#read, bytes]);
    this.#next();
  }

  #next(): void {
    if (this.#busy || this.#socket.destroyed) return;
    let length: number | null;
    try {
      length = messageLength(this.#read, TAG.request);
    } catch (error) {
      if (!(error instanceof TtlvFault)) throw error;
      // What is no message of KMIP is answered as one that can't be read.
      this.#answered(this.#read.subarray(0, MESSAGE_MOST));
      return;
    }
    if (length === null || this.#read.length < length) {
      if (this.#read.length > 0) this.#slow ??= setTimeout(() => this.#socket.destroy(), this.#times.message).unref();
      return;
    }
    const message = this.#read.subarray(0, length);
    this.#read = this.#read.subarray(length);
    this.#answered(message);
  }

  #answered(message: Buffer): void {
    this.#answer(message).catch((error: Error) => this.#failed(error));
  }

  /** Of this connection alone, whatever it was. */
  #failed({ message }: Error): void {
    this.#shell.services.logger.error('a connection of KMIP failed', { failure: { message } });
    this.#socket.destroy();
  }

  async #answer(message: Buffer): Promise<void> {
    const socket = this.#socket;
    this.#forget();
    this.#busy = true;
    // No more is taken than what was there: a client that sends on waits.
    socket.pause();
    const caller = await this.#caller();
    if (caller === null) return void socket.destroy();
    const { services, trace, probe } = this.#shell;
    const { bytes, ends, told }: Answered = await answer(services, caller, message, probe()?.state ?? null);
    await trace.record(caller.provider === null ? null : caller, told);
    if (socket.destroyed) return;
    if (ends || this.#stopping) return this.#end(bytes);
    const gone = socket.write(bytes);
    if (!gone) await new Promise<void>((resolve) => socket.once('drain', resolve).once('close', resolve));
    this.#busy = false;
    socket.resume();
    this.#next();
  }

  /** The last answer: what still comes is thrown away for a moment, since closing at once would discard it. */
  #end(bytes: Buffer): void {
    const socket = this.#socket;
    this.#ending = true;
    socket.end(bytes);
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), this.#times.linger);
    socket.once('close', () => clearTimeout(timer));
  }

  #forget(): void {
    if (this.#slow) clearTimeout(this.#slow);
    this.#slow = null;
  }
}
