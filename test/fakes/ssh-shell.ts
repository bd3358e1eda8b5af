// The other side of a terminal: an SSH server at a UNIX socket that asks for a password as PAM does, and whose shell does what
// the test says.
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import ssh2, { type ServerChannel } from 'ssh2';
import { newHostKey } from '../setup/ssh-host-key.ts';
import { until } from '../setup/until.ts';

export const ACCOUNT = 'operator';
export const OS_PASSWORD = 'canary of the operating system';

export interface FakeShell {
  /** Open shells, oldest first. */
  channels: ServerChannel[];
  /** `columns x rows`, as told last. */
  sizes: string[];
  typed: string;
  connections: Set<Socket>;
  stop(): Promise<void>;
}

export async function startFakeShell(socket: string, publicKey: string): Promise<FakeShell> {
  const { private: key, public: line } = newHostKey();
  const fake: FakeShell = { channels: [], sizes: [], typed: '', connections: new Set(), stop };
  const ssh = new ssh2.Server({ hostKeys: [key] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
        const [answer] = answers as unknown as string[];
        if (context.username === ACCOUNT && answer === OS_PASSWORD) context.accept();
        else context.reject(['keyboard-interactive']);
      });
    });
    client.on('session', (accept) => {
      const session = accept();
      const sized = ({ cols, rows }: { cols: number; rows: number }) => fake.sizes.push(`${cols}x${rows}`);
      const noted = (take: (() => void) | undefined, _reject: unknown, info: { cols: number; rows: number }) => {
        sized(info);
        take?.();
      };
      session.on('pty', noted);
      session.on('window-change', noted);
      session.on('shell', (take) => {
        const channel = take();
        fake.channels.push(channel);
        channel.on('data', (bytes: Buffer) => (fake.typed += bytes.toString('latin1')));
        channel.on('close', () => fake.channels.splice(fake.channels.indexOf(channel), 1));
      });
    });
  });
  mkdirSync(dirname(socket), { recursive: true });
  mkdirSync(dirname(publicKey), { recursive: true });
  await writeFile(publicKey, `${line}\n`);
  const server: Server = createServer((connection) => {
    fake.connections.add(connection);
    connection.on('close', () => fake.connections.delete(connection)).on('error', () => undefined);
    ssh.injectSocket(connection);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  async function stop(): Promise<void> {
    for (const connection of fake.connections) connection.destroy();
    await new Promise((resolve) => server.close(resolve));
    await until(async () => fake.connections.size === 0);
  }
  return fake;
}
