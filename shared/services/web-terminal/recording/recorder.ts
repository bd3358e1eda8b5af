// Writes one recording: what a terminal prints and its size, never what is typed. asciicast v2 below the seal
// (docs.asciinema.org/manual/asciicast/v2).
import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { RECORDING, type RecordingEnd, type RecordingHead } from './facts.ts';
import { newRecordingFile, removeRecordingFile } from './folder.ts';
import { type LineKind, SealedLines } from './sealed-lines.ts';

export interface RecorderShell {
  settings: Pick<Services['settings'], 'data'>;
  keys: Keys;
  entropy: Entropy;
  clock: Clock;
}

/** Why a terminal that is recorded can't go on. */
export type RecorderFault = 'recorded' | 'unrecorded';

/** Recordings that this process writes now. */
const running = new Set<string>();
export const isRunning = (id: string): boolean => running.has(id);

interface Room {
  left: number;
}
/** By data folder: bytes that its recordings may still have. All that are written now share them. */
const rooms = new Map<string, Room>();

function roomIn({ settings }: RecorderShell, left: number): Room {
  const room = rooms.get(settings.data) ?? { left };
  rooms.set(settings.data, room);
  // What was counted on the disk just now.
  return Object.assign(room, { left });
}

export class Recorder {
  readonly id: string;
  readonly #shell: RecorderShell;
  readonly #lines: SealedLines;
  readonly #handle: FileHandle;
  readonly #decoder = new StringDecoder('utf8');
  readonly #began = performance.now();
  readonly #room: Room;
  readonly #pending = Buffer.allocUnsafeSlow(RECORDING.event);
  #pendingLength = 0;
  #pendingAt = 0;
  #events: string[] = [];
  #eventBytes = 0;
  #count = 0;
  #total = 0;
  #queued = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #over = false;
  #drained: () => void = () => undefined;
  #failed: (how: RecorderFault) => void = () => undefined;

  private constructor(shell: RecorderShell, id: string, handle: FileHandle, room: Room) {
    this.id = id;
    this.#shell = shell;
    this.#lines = new SealedLines(shell.keys, id);
    this.#handle = handle;
    this.#room = room;
  }

  /** Its head is on the disk when this resolves. `room`: bytes that it and all others of the folder may still have. */
  static async begin(shell: RecorderShell, head: RecordingHead, room: number): Promise<Recorder> {
    const id = newId('rec', shell.entropy);
    const { path, handle } = await newRecordingFile(shell, id, shell.clock.now());
    const recorder = new Recorder(shell, id, handle, roomIn(shell, room));
    running.add(id);
    try {
      recorder.#seal('head', JSON.stringify(head));
      await recorder.#writing;
    } catch (error) {
      // On a full disk each try would leave a file that nobody can read, for a year.
      await recorder.#close().catch(() => undefined);
      await removeRecordingFile(path);
      throw error;
    }
    return recorder;
  }

  /** `drained`: the shell may go on; `failed`: it must not. */
  follow(drained: () => void, failed: (how: RecorderFault) => void): void {
    this.#drained = drained;
    this.#failed = failed;
  }

  /** Answers whether the shell is to wait, until `drained`. */
  printed(bytes: Buffer): boolean {
    if (this.#over) return false;
    const now = this.#now();
    if (this.#pendingLength > 0 && now - this.#pendingAt > RECORDING.event_ms) this.#event();
    for (let at = 0; at < bytes.length; ) {
      if (this.#pendingLength === 0) this.#pendingAt = now;
      const count = bytes.copy(this.#pending, this.#pendingLength, at);
      at += count;
      this.#pendingLength += count;
      if (this.#pendingLength === this.#pending.length) this.#event();
    }
    this.#timer ??= setTimeout(() => this.#flush(), RECORDING.part_ms).unref();
    return this.#queued > RECORDING.behind;
  }

  resized(columns: number, rows: number): void {
    if (this.#over) return;
    this.#event();
    this.#add([this.#seconds(this.#now()), 'r', `${columns}x${rows}`]);
  }

  /** Says how it ended, and closes the file. */
  async end(cause: string): Promise<void> {
    if (this.#over) return;
    this.#event(true);
    this.#flush();
    this.#over = true;
    const end: RecordingEnd = { ended_at: instant(this.#shell.clock.now()), cause, lines: this.#count };
    this.#seal('end', JSON.stringify(end));
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#over = true;
    try {
      await this.#writing;
      await this.#handle.sync();
    } finally {
      running.delete(this.id);
      await this.#handle.close();
    }
  }

  #now(): number {
    return performance.now() - this.#began;
  }

  #seconds(ms: number): number {
    return Math.round(ms) / 1000;
  }

  /** A character whose bytes have not all come waits for them. */
  #event(last = false): void {
    let text = this.#decoder.write(this.#pending.subarray(0, this.#pendingLength));
    if (last) text += this.#decoder.end();
    this.#pendingLength = 0;
    if (text !== '') this.#add([this.#seconds(this.#pendingAt), 'o', text]);
  }

  #add(event: [number, string, string]): void {
    const line = `${JSON.stringify(event)}\n`;
    const bytes = Buffer.byteLength(line);
    this.#events.push(line);
    this.#eventBytes += bytes;
    this.#total += bytes;
    if (this.#eventBytes >= RECORDING.part) this.#flush();
    if (this.#total >= RECORDING.most) this.#fail('recorded');
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#over) return;
    this.#event();
    if (this.#events.length === 0) return;
    const text = this.#events.join('');
    this.#events = [];
    this.#eventBytes = 0;
    this.#seal('part', text);
  }

  #seal(kind: LineKind, text: string): void {
    const line = this.#lines.seal(kind, this.#count, text, this.#shell.entropy);
    this.#count += 1;
    this.#room.left -= line.length;
    this.#queued += line.length;
    this.#writing = this.#writing.then(() => this.#write(line));
    // Whoever waits for it hears of it; nobody may.
    this.#writing.catch(() => this.#fail('unrecorded'));
    if (this.#room.left <= 0 && kind === 'part') this.#fail('unrecorded');
  }

  async #write(line: string): Promise<void> {
    await this.#handle.appendFile(line);
    // A machine that loses its power keeps it too.
    await this.#handle.datasync();
    const behind = this.#queued > RECORDING.behind;
    this.#queued -= line.length;
    if (behind && this.#queued <= RECORDING.behind) this.#drained();
  }

  /** Not in the midst of what is printed now. */
  #fail(how: RecorderFault): void {
    if (!this.#over) setImmediate(() => this.#failed(how));
  }
}
