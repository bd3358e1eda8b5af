// Asking the root step of the appliance, or the network check, over a socket of systemd: each connection is answered by a
// process of its own, one line of JSON for one line of JSON, in order.
import { connect, type Socket } from 'node:net';
import { type ErrorCode, Problem } from '../../ground/problems.ts';

export const ROOT_STEP_SOCKET = '/run/groundcrew/enforce.sock';
/** Where systemd-networkd is had read files, by a process that may do nothing else: runtime/enforce/check.ts. */
export const NETWORK_CHECK_SOCKET = '/run/groundcrew/check.sock';
/** Folder that root keeps the way back and the confirm window in; everybody may read the record of the window. */
export const ROOT_STEP_FOLDER = '/var/lib/groundcrew/enforce/apply';
/** Bytes of one line, either way: the packet filter of 500 rules is a tenth of it. */
export const LINE_MOST = 4 << 20;
/** A process that nobody asked for so long ends, milliseconds. */
const IDLE = 60_000;
/** One that is older is asked nothing new, milliseconds: systemd ends it after half an hour. */
const OLD = 10 * 60_000;

export type RootAnswer =
  | { ok: true; value: unknown }
  | { ok: false; kind: 'window-closed' | 'refused' | 'failed'; said: string }
  | { ok: false; kind: 'problem'; code: ErrorCode; said: string };

/** The confirm window of the plan has ended; enforcement-by-root.ts has the error that the apply knows. */
export class RootWindowClosed extends Error {}

interface Turn {
  done(answer: RootAnswer): void;
  failed(error: Error): void;
}

export class RootStep {
  readonly #path: string;
  readonly #name: string;
  #socket: Socket | null = null;
  #turns: Turn[] = [];
  #idle: NodeJS.Timeout | undefined;
  #connectedAt = 0;

  /** `name`: who is asked, as an error says it. */
  constructor(path = ROOT_STEP_SOCKET, name = 'the root step') {
    this.#path = path;
    this.#name = name;
  }

  /**
   * Sends a request and waits for its value, after those that were sent before.
   * @throws Problem, RootWindowClosed, or Error with the line that the root step refused or failed with
   */
  async ask<T>(request: object): Promise<T> {
    clearTimeout(this.#idle);
    const answer = await new Promise<RootAnswer>((done, failed) => {
      const socket = this.#connected();
      this.#turns.push({ done, failed });
      socket.ref();
      socket.write(`${JSON.stringify(request)}\n`);
    });
    if (answer.ok) return answer.value as T;
    if (answer.kind === 'problem') throw new Problem(answer.code, answer.said);
    if (answer.kind === 'window-closed') throw new RootWindowClosed(answer.said);
    throw new Error(answer.kind === 'refused' ? `${this.#name} refused: ${answer.said}` : answer.said);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connected(): Socket {
    // The answers that an old one owed have come.
    if (this.#turns.length === 0 && performance.now() - this.#connectedAt > OLD) this.#leave();
    if (this.#socket) return this.#socket;
    const socket = connect(this.#path);
    this.#connectedAt = performance.now();
    let text = '';
    let fault = 'it ended';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        this.#answered(JSON.parse(text.slice(0, end)) as RootAnswer);
        text = text.slice(end + 1);
      }
    });
    socket.on('error', (error) => {
      fault = error.message;
    });
    socket.on('close', () => {
      // Nobody waits for one that was left.
      if (this.#socket !== socket) return;
      this.#socket = null;
      const turns = this.#turns.splice(0);
      for (const { failed } of turns) failed(new Error(`${this.#name} did not answer: ${fault}`));
    });
    this.#socket = socket;
    return socket;
  }

  #answered(answer: RootAnswer): void {
    this.#turns.shift()?.done(answer);
    if (this.#turns.length > 0) return;
    // An open connection is no reason to go on living.
    this.#socket?.unref();
    this.#idle = setTimeout(() => this.#leave(), IDLE).unref();
  }

  #leave(): void {
    this.#socket?.end();
    this.#socket = null;
  }
}
