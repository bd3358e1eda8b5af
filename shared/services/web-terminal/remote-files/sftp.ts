// SFTP (version 3) over a connection that is signed in. Each question has its time, and its answer is looked at: the library hands on
// whatever kind of answer the other machine gave. After a silence the connection is ended, so that nothing goes on behind it.
import type { Client, SFTPWrapper, Stats } from 'ssh2';
import { Problem } from '../../../ground/problems.ts';
import { FILES, type FileTimes } from './limits.ts';

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** What is known of a file; null: the machine did not say. */
export interface Facts {
  kind: 'folder' | 'file' | 'link' | 'other';
  bytes: number | null;
  /** Permission bits. */
  mode: number | null;
  /** Seconds since 1970. */
  changed: number | null;
}

export const NO_SUCH_FILE = 2;
const EOF = 1;

/** By the status codes of version 3; the machine's own words are dropped. */
const SAID: Readonly<Record<number, string>> = {
  2: 'There is no such file or folder.',
  3: 'The user may not do that there.',
  4: 'It failed there: the disk may be full, links may lead in a circle, or the kind of file does not fit.',
  8: 'It can’t do that.',
};

/** A refusal of the other machine; `answered`: the code of version 3. */
export class Refusal extends Problem {
  readonly answered: number;
  constructor(server: string, status: number) {
    super('remote_refused', `${server} refused it. ${SAID[status] ?? 'It gave no reason.'}`);
    this.answered = status;
  }
}

export class Sftp {
  /** As people read it: `esx01.lab.example:22`. */
  readonly server: string;
  readonly #client: Client;
  readonly #times: Required<FileTimes>;
  /** Whoever waits for an answer. A promise that all of them race with would keep something of each for as long as it lives. */
  readonly #waiting = new Set<(problem: Problem) => void>();
  readonly #works: (() => void)[] = [];
  #ended = false;
  #sftp!: SFTPWrapper;

  private constructor(client: Client, server: string, times: FileTimes) {
    this.#client = client;
    this.server = server;
    this.#times = { answer_ms: FILES.answer_ms, folder_ms: FILES.folder_ms, ...times };
    const gone = () => {
      if (this.#ended) return;
      this.#ended = true;
      for (const refuse of this.#waiting) refuse(this.unusable('ended the connection'));
      for (const work of this.#works) work();
    };
    client.on('close', gone).on('error', gone);
  }

  /** The connection is ended where it fails. @throws Problem 409 */
  static async open(client: Client, server: string, times: FileTimes = {}): Promise<Sftp> {
    const made = new Sftp(client, server, times);
    try {
      made.#sftp = await made.#answered<SFTPWrapper>((done) => client.sftp(done));
    } catch {
      made.end();
      throw made.unusable('accepted the login, but offers no SFTP');
    }
    // What the library can't read ends the connection, and with it each question.
    made.#sftp.on('error', () => made.end());
    made.#sftp.on('close', () => made.end());
    return made;
  }

  get times(): Required<FileTimes> {
    return this.#times;
  }

  /** Once; soon, where it has ended before. */
  onEnd(work: () => void): void {
    if (this.#ended) queueMicrotask(work);
    else this.#works.push(work);
  }

  end(): void {
    this.#client.destroy();
  }

  unusable(what: string): Problem {
    return new Problem('remote_answer_unusable', `${this.server} ${what}.`);
  }

  /** Null: there is no such file. @throws Problem 409 */
  async facts(path: string, { follow }: { follow: boolean }): Promise<Facts | null> {
    try {
      return factsOf(await this.#ask<Stats>((sftp, done) => (follow ? sftp.stat(path, done) : sftp.lstat(path, done))));
    } catch (error) {
      if (error instanceof Refusal && error.answered === NO_SUCH_FILE) return null;
      throw error;
    }
  }

  async realPath(path: string): Promise<string> {
    const found = await this.#ask<string>((sftp, done) => sftp.realpath(path, done));
    if (typeof found !== 'string' || !found.startsWith('/')) throw this.unusable('named no folder to begin with');
    return found;
  }

  openFile(path: string, how: 'r' | 'wx', mode?: number): Promise<Buffer> {
    return this.#handle((sftp, done) => sftp.open(path, how, mode === undefined ? {} : { mode }, done));
  }

  openFolder(path: string): Promise<Buffer> {
    return this.#handle((sftp, done) => sftp.opendir(path, done));
  }

  /** The next of its names; null: that was all. */
  async names(handle: Buffer): Promise<{ filename: string; attrs: Stats }[] | null> {
    try {
      const found = await this.#ask<{ filename: string; attrs: Stats }[]>((sftp, done) =>
        sftp.readdir(handle as never, done as never),
      );
      if (!Array.isArray(found)) throw this.unusable('gave an answer that lists no files');
      return found;
    } catch (error) {
      if (error instanceof Refusal && error.answered === EOF) return null;
      throw error;
    }
  }

  /** Bytes that are there; 0: its end. */
  async read(handle: Buffer, into: Buffer, position: number): Promise<number> {
    const got = await this.#ask<number>((sftp, done) => sftp.read(handle, into, 0, into.length, position, done));
    if (!Number.isInteger(got) || got < 0 || got > into.length)
      throw this.unusable('gave an answer that is no content');
    return got;
  }

  write(handle: Buffer, bytes: Buffer, position: number): Promise<void> {
    return this.#does((sftp, done) => sftp.write(handle, bytes, 0, bytes.length, position, done));
  }

  close(handle: Buffer): Promise<void> {
    return this.#does((sftp, done) => sftp.close(handle, done));
  }

  remove(path: string): Promise<void> {
    return this.#does((sftp, done) => sftp.unlink(path, done));
  }

  /** Refused where a file is there already. */
  rename(from: string, to: string): Promise<void> {
    return this.#does((sftp, done) => sftp.rename(from, to, done));
  }

  chmod(handle: Buffer, mode: number): Promise<void> {
    return this.#does((sftp, done) => sftp.fchmod(handle, mode, done));
  }

  /** In the place of what is there, at once. False: the machine has no such way. */
  async replace(from: string, to: string): Promise<boolean> {
    return this.#where((sftp, done) => sftp.ext_openssh_rename(from, to, done));
  }

  /** To its disk, where it knows how. */
  async sync(handle: Buffer): Promise<void> {
    await this.#where((sftp, done) => sftp.ext_openssh_fsync(handle, done));
  }

  async #where(work: (sftp: SFTPWrapper, done: (error?: Error | null) => void) => void): Promise<boolean> {
    let known = true;
    await this.#does((sftp, done) => {
      try {
        work(sftp, done);
      } catch {
        known = false; // the library throws where the machine did not name the extension
        done();
      }
    });
    return known;
  }

  async #handle(work: (sftp: SFTPWrapper, done: Done<Buffer>) => void): Promise<Buffer> {
    const handle = await this.#ask<Buffer>(work);
    if (!Buffer.isBuffer(handle) || handle.length > FILES.handle)
      throw this.unusable('gave an answer that opens nothing');
    return handle;
  }

  #does(work: (sftp: SFTPWrapper, done: (error?: Error | null) => void) => void): Promise<void> {
    return this.#ask<void>((sftp, done) => work(sftp, (error) => done(error, undefined)));
  }

  #ask<T>(work: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T> {
    return this.#answered((done) => work(this.#sftp, done));
  }

  async #answered<T>(begin: (done: Done<T>) => void): Promise<T> {
    if (this.#ended) throw this.unusable('ended the connection');
    const asked = Promise.withResolvers<T>();
    const timer = setTimeout(() => {
      asked.reject(
        new Problem('remote_timeout', `${this.server} did not answer in ${this.#times.answer_ms / 1000} s.`),
      );
      this.end();
    }, this.#times.answer_ms);
    this.#waiting.add(asked.reject);
    try {
      begin((error, value) => (error ? asked.reject(this.#faultOf(error)) : asked.resolve(value)));
      return await asked.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(asked.reject);
    }
  }

  #faultOf(error: Error & { code?: unknown }): Problem {
    const { code } = error;
    return typeof code === 'number' ? new Refusal(this.server, code) : this.unusable('ended the connection');
  }
}

const KIND = 0o170_000;
const KINDS = new Map<number, Facts['kind']>([
  [0o040_000, 'folder'],
  [0o100_000, 'file'],
  [0o120_000, 'link'],
]);

export function factsOf(stats: Partial<Stats> | undefined): Facts {
  const { mode, size, mtime } = stats ?? {};
  return {
    kind: typeof mode === 'number' ? (KINDS.get(mode & KIND) ?? 'other') : 'other',
    bytes: Number.isSafeInteger(size) ? size! : null,
    mode: typeof mode === 'number' ? mode & 0o7777 : null,
    changed: Number.isSafeInteger(mtime) ? mtime! : null,
  };
}
