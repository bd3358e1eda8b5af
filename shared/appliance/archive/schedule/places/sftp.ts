// A folder of an SFTP server as a place for copies.
import type { Client, SFTPWrapper } from 'ssh2';
import { Problem } from '../../../../ground/problems.ts';
import { connectionFault, tooLate } from '../../../../vcf/connection/faults.ts';
import { serverText } from '../../../../vcf/connection/target.ts';
import type { SecretKind, SftpPlace } from '../target.ts';
import { type DialShell, SILENT_MS } from './dial.ts';
import { NAMES_MOST, type OpenPlace } from './place.ts';
import { openSsh } from './ssh.ts';

const PIECE = 256 * 1024;

type Done<T> = (error: Error | null | undefined, value: T) => void;
type Ask = <T = void>(work: (sftp: SFTPWrapper, done: Done<T>) => void) => Promise<T>;

/** Logs in. @throws Problem 409 */
export async function openSftp(
  shell: DialShell,
  place: SftpPlace,
  secret: { kind: SecretKind; value: string },
  signal: AbortSignal,
): Promise<OpenPlace> {
  const client = await openSsh(shell, place, secret, signal);
  try {
    const ask = await asking(client, place, signal);
    return { ...filesOf(ask, place), close: async () => void client.end() };
  } catch (error) {
    client.end();
    throw error;
  }
}

/** Each question is answered, or ends with the connection, with the job, or after a minute of silence. */
async function asking(client: Client, place: SftpPlace, signal: AbortSignal): Promise<Ask> {
  const server = { host: place.host, port: place.port };
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const fail = () => broken.reject(connectionFault({}, server, 'answer'));
  client.on('error', fail).on('close', fail);
  const aborted = () => {
    broken.reject(signal.reason);
    client.end();
  };
  signal.addEventListener('abort', aborted, { once: true });
  client.on('close', () => signal.removeEventListener('abort', aborted));
  const bounded = <T>(begin: (done: Done<T>) => void): Promise<T> => {
    const asked = Promise.withResolvers<T>();
    const timer = setTimeout(() => asked.reject(tooLate(server, 'answer', SILENT_MS)), SILENT_MS);
    begin((error, value) => (error ? asked.reject(faultOf(error, place)) : asked.resolve(value)));
    return Promise.race([asked.promise, broken.promise]).finally(() => clearTimeout(timer));
  };
  const sftp = await bounded<SFTPWrapper>((done) => client.sftp(done));
  return (work) => bounded((done) => work(sftp, done));
}

function filesOf(ask: Ask, { path }: SftpPlace): Omit<OpenPlace, 'close'> {
  const at = (name: string) => `${path.replace(/\/$/, '')}/${name}`;
  return {
    async write(name, source) {
      const handle = await ask<Buffer>((sftp, done) => sftp.open(at(name), 'wx', { mode: 0o600 }, done));
      try {
        let position = 0;
        for await (const piece of source.bytes()) {
          for (let from = 0; from < piece.length; from += PIECE) {
            const length = Math.min(PIECE, piece.length - from);
            const to = position + from;
            await ask((sftp, done) => sftp.write(handle, piece, from, length, to, (error) => done(error, undefined)));
          }
          position += piece.length;
        }
        await ask((sftp, done) => synced(sftp, handle, done));
      } finally {
        await ask((sftp, done) => sftp.close(handle, (error) => done(error, undefined)));
      }
    },
    async *read(name) {
      const { size } = await ask<{ size: number }>((sftp, done) => sftp.stat(at(name), done));
      const handle = await ask<Buffer>((sftp, done) => sftp.open(at(name), 'r', done));
      try {
        for (let position = 0; position < size; ) {
          const from = position;
          const length = Math.min(PIECE, size - from);
          const piece = Buffer.alloc(length);
          const got = await ask<number>((sftp, done) => sftp.read(handle, piece, 0, length, from, done));
          if (got === 0) return;
          yield piece.subarray(0, got);
          position += got;
        }
      } finally {
        await ask((sftp, done) => sftp.close(handle, (error) => done(error, undefined)));
      }
    },
    // Version 3 of the protocol refuses to rename over what is there.
    rename: (from, to) => ask((sftp, done) => sftp.rename(at(from), at(to), (error) => done(error, undefined))),
    size: async (name) => (await ask<{ size: number }>((sftp, done) => sftp.stat(at(name), done))).size,
    remove: (name) =>
      ask((sftp, done) => sftp.unlink(at(name), (error) => done(isGone(error) ? null : error, undefined))),
    async names() {
      const found = await ask<{ filename: string }[]>((sftp, done) => sftp.readdir(path, done));
      return found.slice(0, NAMES_MOST).map(({ filename }) => filename);
    },
  };
}

/** To the disk, where the server knows how. */
function synced(sftp: SFTPWrapper, handle: Buffer, done: Done<void>): void {
  try {
    sftp.ext_openssh_fsync(handle, (error) => done(error, undefined));
  } catch {
    // The server does not have this extension: what is read back may still be in its memory alone.
    done(null, undefined);
  }
}

const NO_SUCH_FILE = 2;
const isGone = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === NO_SUCH_FILE;

/** By the status codes of SFTP version 3; the server's own words are dropped. */
const SAID: Readonly<Record<number, string>> = {
  2: 'The folder or the file does not exist there.',
  3: 'The user may not do that there.',
  4: 'The server failed: its disk may be full, or the file is there already.',
  8: 'The server can’t do that.',
};

function faultOf(error: Error & { code?: number | string }, { host, port, path }: SftpPlace): Problem {
  const server = { host, port };
  const said = typeof error.code === 'number' ? SAID[error.code] : undefined;
  if (said === undefined) return connectionFault({}, server, 'answer');
  return new Problem('remote_refused', `${serverText(server)} refused it in ${path}. ${said}`);
}
