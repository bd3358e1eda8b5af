// A shell of the operating system: SSH over the unit's UNIX socket to `sshd -i`, which asks PAM and starts it as the account.
// The library is loaded when the first shell is asked for.
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { Backlog } from './blocks.ts';
import { LIMITS } from './limits.ts';
import type { Prompt } from './messages.ts';

export interface Dial {
  /** Path of the UNIX socket. */
  socket: string;
  account: string;
  /** `SHA256:…` of the host key; null: there is none to compare, and nothing is sent. */
  host_key: string | null;
  columns: number;
  rows: number;
  /** Relays what PAM asks. */
  ask(prompts: Prompt[]): Promise<string[]>;
  signal: AbortSignal;
}

export interface Shell {
  /** `take` copies what it wants to keep. */
  onData(take: (bytes: Buffer) => void): void;
  /** Once, however it ends. */
  onEnd(work: () => void): void;
  /** False: no more is to be typed until `onDrain`. */
  write(bytes: Buffer): boolean;
  onDrain(work: () => void): void;
  resize(columns: number, rows: number): void;
  /** It begins paused. */
  pause(): void;
  resume(): void;
  end(): void;
}

type WhyNot = 'refused' | 'failed' | 'unrecorded';

/** Why there is no shell: the account was refused, nobody could be asked, or it would not be recorded as it must. */
export class NoShell extends Error {
  readonly cause_is: WhyNot;
  constructor(cause_is: WhyNot) {
    super(cause_is);
    this.cause_is = cause_is;
  }
}

export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** Of a line of a public key file; null: it is none. */
export function fingerprintIn(line: string | null): string | null {
  const [, blob] = /^ssh-ed25519 ([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(line ?? '') ?? [];
  return blob === undefined ? null : fingerprintOf(Buffer.from(blob, 'base64'));
}

/** @throws NoShell */
export async function openShell(dial: Dial): Promise<Shell> {
  const { default: ssh2 } = await import('ssh2');
  // A signal that was given before is not heard again.
  if (dial.signal.aborted) throw new NoShell('failed');
  const client: Client = new ssh2.Client();
  const stop = () => client.destroy();
  dial.signal.addEventListener('abort', stop, { once: true });
  try {
    await signedIn(client, dial);
    return await shellIn(client, dial);
  } catch (error) {
    client.destroy();
    throw error instanceof NoShell ? error : new NoShell('failed');
  } finally {
    dial.signal.removeEventListener('abort', stop);
  }
}

/** A shell of a connection that is signed in. @throws NoShell, Error */
export async function shellIn(
  client: Client,
  { columns: cols, rows }: { columns: number; rows: number },
): Promise<Shell> {
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.once('close', () => reject(new NoShell('failed')));
    client.shell({ term: 'xterm-256color', cols, rows }, (error, made) => (error ? reject(error) : resolve(made)));
  });
  return shellOf(client, channel);
}

function signedIn(client: Client, dial: Dial): Promise<void> {
  return new Promise((resolve, reject) => {
    client.on('ready', resolve);
    client.on('error', (error: Error & { level?: string }) =>
      // Its own words are dropped: they say nothing that a person could use.
      reject(new NoShell(error.level === 'client-authentication' ? 'refused' : 'failed')),
    );
    client.on('close', () => reject(new NoShell('failed')));
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
      if (prompts.length === 0) return finish([]);
      const asked = prompts.map(({ prompt, echo }) => ({ prompt, echo: echo === true }));
      dial.ask(asked).then(finish, () => client.destroy());
    });
    const sock = connect(dial.socket);
    sock.on('error', () => reject(new NoShell('failed')));
    client.connect({
      sock,
      username: dial.account,
      tryKeyboard: true,
      // Three tries are the server's; the time is ours.
      authHandler: ['keyboard-interactive'],
      readyTimeout: 0,
      algorithms: { serverHostKey: ['ssh-ed25519'] },
      hostVerifier: (key: Buffer) => dial.host_key !== null && fingerprintOf(key) === dial.host_key,
    });
  });
}

/**
 * The library keeps what comes after a pause as one object for each packet, of which a shell can send two million of one byte
 * (its window is 2 MiB): so pieces are taken as they come, before its stream has them.
 */
function printed(channel: ClientChannel, tooMuch: () => void) {
  const backlog = new Backlog();
  // Nothing is lost before somebody takes it.
  let waits = true;
  /** Its end has come, behind what waits. */
  let over = false;
  let take: (bytes: Buffer) => void = () => undefined;
  const push = channel.push.bind(channel);
  channel.push = (piece: Buffer | null) => {
    if (piece === null) {
      over = true;
      return backlog.empty ? push(null) : false;
    }
    if (waits || !backlog.empty) {
      backlog.add(piece);
      // The library holds nobody to the window that it gave.
      if (backlog.size > LIMITS.backlog) tooMuch();
    } else take(piece);
    // False: the window is opened again by `_read` alone.
    return !waits;
  };
  // Nothing is in it: only its end is waited for.
  channel.resume();
  return {
    onData(given: (bytes: Buffer) => void) {
      take = given;
    },
    pause() {
      waits = true;
    },
    resume() {
      waits = false;
      while (!waits && !backlog.empty) backlog.next(take);
      if (waits) return;
      if (over) push(null);
      else channel._read(0);
    },
    drop: () => backlog.drop(),
  };
}

function shellOf(client: Client, channel: ClientChannel): Shell {
  let ended = false;
  const works: (() => void)[] = [];
  const output = printed(channel, () => end());
  const end = () => {
    if (ended) return;
    ended = true;
    client.destroy();
    for (const work of works) work();
    output.drop();
  };
  channel.on('close', end);
  client.on('close', end);
  channel.stderr.on('data', () => undefined);
  return {
    onData: output.onData,
    onEnd: (work) => void (ended ? work() : works.push(work)),
    write: (bytes) => ended || channel.write(bytes),
    onDrain: (work) => void channel.on('drain', work),
    // The size in pixels is nobody's.
    resize: (columns, rows) => void (ended || channel.setWindow(rows, columns, 0, 0)),
    pause: output.pause,
    resume: () => void (ended || output.resume()),
    // The connection with it: sshd hangs the shell up.
    end,
  };
}
