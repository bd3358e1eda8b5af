// What one terminal may hold and for how long, and the pure count of both. Time is milliseconds of any clock that only goes on.

/** The only subprotocol: a page of another release does not get in. */
export const SUBPROTOCOL = 'groundcrew-terminal.2';

export const LIMITS = {
  /** Bytes of one message to the appliance. */
  message: 16 << 10,
  /** Unacknowledged bytes of output: above the first the shell waits, below the second it goes on. */
  pause: 256 << 10,
  resume: 64 << 10,
  /** Bytes that the connection has not taken: no page is that late while the shell waits. */
  unsent: 1 << 20,
  /** Bytes of output that are sent in one message. */
  block: 32 << 10,
  /** Blocks that wait for the next output, of all terminals. */
  blocks: 32,
  /** Bytes that a shell may send while it has to wait: the window of SSH is 2 MiB, and who sends more keeps to no window. */
  backlog: 4 << 20,
  /** Bytes of output that a page gets again after a reload. */
  replay: 256 << 10,
  /** How long a shell waits for its page to come back. */
  detached_ms: 60_000,
  /** How long before its end a person is warned. */
  warning_ms: 60_000,
  /** From the handshake to the first message, and from there to the end of the sign-in. */
  ticket_ms: 10_000,
  login_ms: 60_000,
  /** Session, right and applied state are looked at this often. */
  look_ms: 2_000,
  /** Looks in a row that may find nothing out, as while the database fails. */
  unknown: 5,
  /** How long a page has to answer a close. */
  close_ms: 2_000,
  /** Silent connections are closed by proxies. */
  ping_ms: 20_000,
} as const;

/** Output that was sent and not yet drawn. Without it a program that prints for ever fills the memory. */
export class Flow {
  #unread = 0;
  /** What the page says that it has drawn is not what the connection took: it may say anything. */
  #unsent = 0;
  /** A recording that is behind holds the shell as well. */
  #behind = false;
  #paused = false;

  get unread(): number {
    return this.#unread;
  }

  get unsent(): number {
    return this.#unsent;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Answers whether the shell is to wait from now on. */
  sent(bytes: number): boolean {
    this.#unread += bytes;
    return this.#waits();
  }

  /** Given to the connection, which may keep it in memory. Answers whether the shell is to wait from now on. */
  queued(bytes: number): boolean {
    this.#unsent += bytes;
    return this.#waits();
  }

  /** Answers whether the shell is to go on. More than was sent is not counted. */
  drawn(bytes: number): boolean {
    this.#unread = Math.max(0, this.#unread - bytes);
    return this.#goesOn();
  }

  /** The connection has taken it. Answers whether the shell is to go on. */
  written(bytes: number): boolean {
    this.#unsent = Math.max(0, this.#unsent - bytes);
    return this.#goesOn();
  }

  /** What is printed waits to be recorded. Answers whether the shell is to wait from now on. */
  recordingWaits(): boolean {
    this.#behind = true;
    return this.#waits();
  }

  /** Answers whether the shell is to go on. */
  recordingGoesOn(): boolean {
    this.#behind = false;
    return this.#goesOn();
  }

  #waits(): boolean {
    if (this.#paused || (!this.#behind && Math.max(this.#unread, this.#unsent) <= LIMITS.pause)) return false;
    this.#paused = true;
    return true;
  }

  #goesOn(): boolean {
    if (!this.#paused || this.#behind || Math.max(this.#unread, this.#unsent) >= LIMITS.resume) return false;
    this.#paused = false;
    return true;
  }

  /** A new page has drawn nothing of what the old one was sent. Answers whether the shell is to go on. */
  anew(): boolean {
    this.#unread = 0;
    this.#unsent = 0;
    return this.#goesOn();
  }
}

const NONE = Buffer.alloc(0);

/** The last bytes of output, in one piece of memory however small the pieces are that they came in. */
export class Replay {
  #ring = NONE;
  #at = 0;
  #length = 0;

  add(piece: Buffer): void {
    if (this.#ring.length === 0) this.#ring = Buffer.allocUnsafeSlow(LIMITS.replay);
    const last = piece.subarray(Math.max(0, piece.length - LIMITS.replay));
    const before = last.copy(this.#ring, this.#at);
    last.copy(this.#ring, 0, before);
    this.#at = (this.#at + last.length) % LIMITS.replay;
    this.#length = Math.min(LIMITS.replay, this.#length + last.length);
  }

  /** A copy, which stays as it is. */
  all(): Buffer {
    if (this.#length < LIMITS.replay) return Buffer.from(this.#ring.subarray(0, this.#length));
    return Buffer.concat([this.#ring.subarray(this.#at), this.#ring.subarray(0, this.#at)]);
  }
}

export interface Terms {
  idle_ms: number;
  total_ms: number;
}

export type Due = { end: 'idle' | 'total' } | { warn: 'idle' | 'total'; seconds: number } | null;

/** Only what is typed counts as use: output may go on for ever. */
export class Times {
  readonly #terms: Terms;
  readonly #began: number;
  #typed: number;
  #warned = { idle: false, total: false };

  constructor(terms: Terms, now: number) {
    this.#terms = terms;
    this.#began = now;
    this.#typed = now;
  }

  typed(now: number): void {
    this.#typed = now;
    this.#warned.idle = false;
  }

  /** What is due now. Each warning is said once. */
  due(now: number): Due {
    const left = {
      idle: this.#typed + this.#terms.idle_ms - now,
      total: this.#began + this.#terms.total_ms - now,
    };
    for (const each of ['total', 'idle'] as const) if (left[each] <= 0) return { end: each };
    for (const each of ['total', 'idle'] as const) {
      if (left[each] > LIMITS.warning_ms || this.#warned[each]) continue;
      this.#warned[each] = true;
      return { warn: each, seconds: Math.ceil(left[each] / 1000) };
    }
    return null;
  }
}
