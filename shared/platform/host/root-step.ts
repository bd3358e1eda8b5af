// Requests to the root step of the appliance, or to the network check, over a socket of systemd. Each connection has a
// process of its own, which answers each line of JSON with a line of JSON, in order.
import { connect, type Socket } from 'node:net';
import { type ErrorCode, Problem } from '../../ground/problems.ts';

export const ROOT_STEP_SOCKET = '/run/groundcrew/enforce.sock';
/**
 * The network check: has systemd-networkd read files, in a process that may do nothing else (runtime/enforce/check.ts).
 */
export const NETWORK_CHECK_SOCKET = '/run/groundcrew/check.sock';
/** Root's folder for the way back and the confirm window; everybody may read the record of the window. */
export const ROOT_STEP_FOLDER = '/var/lib/groundcrew/enforce/apply';
/** Bytes of one line, either way: the packet filter of 500 rules is a tenth of it. */
export const LINE_MOST = 4 << 20;
/** Milliseconds without a request after which the connection is closed. */
const IDLE = 60_000;
/** Milliseconds after which a connection takes no new request: systemd ends its process after half an hour. */
const OLD = 10 * 60_000;

export type RootAnswer =
  | { ok: true; value: unknown }
  | { ok: false; kind: 'window-closed' | 'refused' | 'failed'; said: string }
  | { ok: false; kind: 'problem'; code: ErrorCode; said: string };

/** The confirm window of the plan has ended; enforcement-by-root.ts turns this into the error of the apply. */
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

  /** `name`: how an error names the other side. */
  constructor(path = ROOT_STEP_SOCKET, name = 'the root step') {
    this.#path = path;
    this.#name = name;
  }

  /**
   * Sends a request and waits for its value; earlier requests are answered first.
   * @throws Problem, RootWindowClosed, or Error with the root step's line of refusal or failure
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
    // An old connection is left only when all of its answers have come.
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
      // Nobody waits on a connection that was left.
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
    // An open connection must not keep the process alive.
    this.#socket?.unref();
    this.#idle = setTimeout(() => this.#leave(), IDLE).unref();
  }

  #leave(): void {
    this.#socket?.end();
    this.#socket = null;
  }
}
