// OpenSSH's server on a port of loopback, with host key, configuration and folder of its own. It runs as a user without
// rights, and lets in that user alone, with a key.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chownSync, constants, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Sshd {
  port: number;
  username: string;
  /** The private key that it lets in. */
  private_key: string;
  /** `SHA256:…`, as ssh-keygen prints it. */
  fingerprint(): string;
  /** A folder that the user may write to. */
  folder: string;
  /** Another host key from now on. */
  rekey(): Promise<void>;
  stop(): Promise<void>;
}

const NOBODY = 65_534;

/** By its absolute path, which it needs to start itself again for each connection. */
function program(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  const found = folders
    .map((folder) => join(folder, 'sshd'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false; // not there: look on
      }
    });
  if (found === undefined) throw new Error('sshd is missing (Debian package openssh-server)');
  return found;
}

export async function startSshd(): Promise<Sshd> {
  const root = await mkdtemp(join(tmpdir(), 'groundcrew-sshd-'));
  const asRoot = process.geteuid?.() === 0;
  const ids = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const username = asRoot ? 'nobody' : userInfo().username;
  const own = (path: string) => asRoot && chownSync(path, NOBODY, NOBODY);
  const folder = join(root, 'files');
  await mkdir(folder);
  await chmod(root, 0o755);
  own(folder);
  const keygen = (name: string) => {
    const path = join(root, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
    own(path);
    return path;
  };
  const login = keygen('login');
  const port = await freePort();
  let host = keygen('host-1');
  let daemon = await run(root, { port, host, login: `${login}.pub`, ids });
  let keys = 1;
  return {
    port,
    username,
    folder,
    private_key: readFileSync(login, 'utf8'),
    fingerprint: () => execFileSync('ssh-keygen', ['-l', '-f', `${host}.pub`], { encoding: 'utf8' }).split(' ')[1]!,
    async rekey() {
      await ended(daemon);
      keys += 1;
      host = keygen(`host-${keys}`);
      daemon = await run(root, { port, host, login: `${login}.pub`, ids });
    },
    async stop() {
      await ended(daemon);
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Run {
  port: number;
  host: string;
  login: string;
  ids: { uid?: number; gid?: number };
}

async function run(root: string, { port, host, login, ids }: Run): Promise<ChildProcess> {
  const config = join(root, 'sshd_config');
  const lines = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${host}`, `AuthorizedKeysFile ${login}`],
    // Without PAM it reads the shadow file, which this user may not, and takes every account to be locked.
    ...['PidFile none', 'StrictModes no', 'UsePAM yes', 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
    ...['Subsystem sftp internal-sftp', 'ForceCommand internal-sftp', 'LogLevel INFO', ''],
  ];
  await writeFile(config, lines.join('\n'));
  const child = spawn(program(), ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'], ...ids });
  const said: string[] = [];
  const listening = Promise.withResolvers<void>();
  createInterface({ input: child.stderr! }).on('line', (line) => {
    said.push(line);
    if (line.startsWith('Server listening on')) listening.resolve();
  });
  child.on('exit', (code) => listening.reject(new Error(`sshd ended with ${code}: ${said.join('\n')}`)));
  child.on('error', listening.reject);
  await listening.promise;
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill();
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
