// One terminal: its shell, and the WebSocket that shows it, which may go and come back. Nothing of what is typed is written
// anywhere, and what is printed only where it is recorded, sealed.
import { setTimeout as after } from 'node:timers';
import type { Recorder } from '../shared/services/web-terminal/recording/recorder.ts';
import { Blocks } from '../shared/services/web-terminal/session/blocks.ts';
import { CLOSINGS, type Closing } from '../shared/services/web-terminal/session/closing.ts';
import { Flow, LIMITS, Replay, type Terms, Times } from '../shared/services/web-terminal/session/limits.ts';
import type { FromPage, ToPage } from '../shared/services/web-terminal/session/messages.ts';
import { isReport } from '../shared/services/web-terminal/session/reports.ts';
import type { Shell } from '../shared/services/web-terminal/session/shell.ts';

/** What shows a terminal: a WebSocket, or a test. */
export interface Wire {
  say(message: ToPage): void;
  /** `done`: the connection keeps nothing of it any more, and its memory is used again. */
  print(bytes: Buffer, done: () => void): void;
  close(code: number, reason: string): void;
  pause(): void;
  resume(): void;
}

export interface Ended {
  cause: Closing;
  seconds: number;
  bytes_in: number;
  bytes_out: number;
}

interface Options {
  shell: Shell;
  terms: Terms;
  /** Milliseconds; default: since the process began. */
  now?: () => number;
  detached_ms?: number;
  /** Null: it is not recorded. */
  recorder?: Recorder | null;
  /** A person typed; at most once a minute. */
  used?(): void;
  ended(how: Ended): void;
}

const USED_MS = 60_000;

export class TerminalSession {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #times: Times;
  readonly #flow = new Flow();
  readonly #replay = new Replay();
  readonly #blocks = new Blocks((bytes, sent) => this.#send(bytes, sent));
  readonly #began: number;
  #wire: Wire | null = null;
  #waiting: NodeJS.Timeout | null = null;
  #over = false;
  #used = Number.NEGATIVE_INFINITY;
  #bytes_in = 0;
  #bytes_out = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#began = this.#now();
    this.#times = new Times(options.terms, this.#began);
    const { shell } = options;
    shell.onData((bytes) => this.#printed(bytes));
    shell.onDrain(() => this.#wire?.resume());
    shell.onEnd(() => this.end('ended'));
    options.recorder?.follow(
      () => {
        if (this.#flow.recordingGoesOn()) shell.resume();
      },
      (how) => this.end(how),
    );
  }

  get unread(): number {
    return this.#flow.unread;
  }

  /** Shows it on this wire, with what was printed last; the wire before it is closed. */
  attach(
    wire: Wire,
    ready: { resume: string; columns: number; rows: number },
    former: 'taken' | 'taken_over' = 'taken',
  ): void {
    const again = this.#bytes_out > 0 || this.#wire !== null;
    if (this.#waiting) clearTimeout(this.#waiting);
    this.#waiting = null;
    const before = this.#wire;
    this.#wire = wire;
    before?.say({ type: 'closing', cause: former, says: CLOSINGS[former].says });
    before?.close(CLOSINGS[former].code, former);
    // The replay has it.
    this.#blocks.drop();
    const all = this.#replay.all();
    const waited = this.#flow.anew();
    wire.say({ type: 'ready', resume: ready.resume, replayed: all.length, again });
    this.#resize(ready);
    if (all.length > 0) {
      this.#unread(all.length);
      this.#send(all, () => undefined);
    }
    if (waited && !this.#flow.paused) this.#options.shell.resume();
  }

  /** The page went away: the shell waits for it. */
  detach(wire: Wire): void {
    if (this.#wire !== wire || this.#over) return;
    this.#wire = null;
    this.#waiting = after(() => this.end('gone'), this.#options.detached_ms ?? LIMITS.detached_ms);
    this.#waiting.unref();
  }

  /** A tab that was replaced types nothing any more. */
  typed(wire: Wire, bytes: Buffer): void {
    if (this.#over || this.#wire !== wire) return;
    if (!isReport(bytes)) this.#usedNow(this.#now());
    this.#bytes_in += bytes.length;
    if (!this.#options.shell.write(bytes)) wire.pause();
  }

  /** A program that asks the terminal again and again uses nothing. */
  #usedNow(now: number): void {
    this.#times.typed(now);
    if (now - this.#used < USED_MS) return;
    this.#used = now;
    this.#options.used?.();
  }

  /** False: no message that belongs here. */
  told(wire: Wire, message: FromPage): boolean {
    if (this.#wire !== wire) return true;
    if (message.type === 'resize') this.#resize(message);
    else if (message.type === 'drawn') {
      if (this.#flow.drawn(message.bytes)) this.#options.shell.resume();
    } else if (message.type === 'end') this.end('ended');
    else return false;
    return true;
  }

  #resize({ columns, rows }: { columns: number; rows: number }): void {
    this.#options.shell.resize(columns, rows);
    this.#options.recorder?.resized(columns, rows);
  }

  /** Looked at by the clock. */
  look(): void {
    const due = this.#times.due(this.#now());
    if (due === null) return;
    if ('end' in due) this.end(due.end);
    else this.#wire?.say({ type: 'warning', cause: due.warn, seconds: due.seconds });
  }

  end(cause: Closing): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#waiting) clearTimeout(this.#waiting);
    // Its last words.
    this.#blocks.flush();
    this.#options.shell.end();
    const { code, says } = CLOSINGS[cause];
    this.#wire?.say({ type: 'closing', cause, says });
    this.#wire?.close(code, cause);
    const seconds = Math.round((this.#now() - this.#began) / 1000);
    this.#options.ended({ cause, seconds, bytes_in: this.#bytes_in, bytes_out: this.#bytes_out });
  }

  /** While nobody looks, the shell prints as much as a page gets again, and then waits. */
  #printed(bytes: Buffer): void {
    if (this.#over) return;
    this.#bytes_out += bytes.length;
    this.#replay.add(bytes);
    if (this.#options.recorder?.printed(bytes) && this.#flow.recordingWaits()) this.#options.shell.pause();
    this.#unread(bytes.length);
    if (this.#wire !== null) this.#blocks.add(bytes);
  }

  #unread(bytes: number): void {
    if (this.#flow.sent(bytes)) this.#options.shell.pause();
  }

  #send(bytes: Buffer, sent: () => void): void {
    const { shell } = this.#options;
    const wire = this.#wire;
    if (wire === null) {
      sent();
      return;
    }
    if (this.#flow.queued(bytes.length)) shell.pause();
    wire.print(bytes, () => {
      sent();
      // Of a wire before this one nothing is counted.
      if (this.#wire === wire && this.#flow.written(bytes.length)) shell.resume();
    });
    if (this.#flow.unsent > LIMITS.unsent) this.end('unread');
  }
}
