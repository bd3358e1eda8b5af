// Another machine with SSH on a port of loopback: one account with a password, and a shell that does what the test says.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import ssh2, { type ServerChannel, type SFTPWrapper } from 'ssh2';
import { fingerprintIn } from '../../shared/services/web-terminal/session/shell.ts';
import { newHostKey } from '../setup/ssh-host-key.ts';

export const MACHINE_USER = 'root';
export const MACHINE_PASSWORD = 'canary of the other machine';

export class SshMachine {
  readonly channels: ServerChannel[] = [];
  /** Passwords that it was given. */
  readonly given: string[] = [];
  port = 0;
  /** Lets in, and answers nothing to whoever asks for a shell. */
  mute = false;
  fingerprint = '';
  /** Answers what is asked for by SFTP; null: it has none. */
  sftp: ((wrapper: SFTPWrapper) => void) | null = null;
  /** How often a shell was asked for. */
  asked = 0;
  readonly #connections = new Set<Socket>();
  #server: Server | null = null;
  readonly #methods: readonly string[];

  /** `methods`: how it asks for the password: `password`, or `keyboard-interactive` as PAM does. */
  constructor(methods: readonly string[] = ['password']) {
    this.#methods = methods;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** With a new host key each time. */
  async start(): Promise<this> {
    const { private: key, public: line } = newHostKey();
    this.fingerprint = fingerprintIn(line)!;
    const ssh = new ssh2.Server({ hostKeys: [key] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (context) => {
        const judged = (password: string | undefined) => {
          this.given.push(password ?? '');
          if (context.username === MACHINE_USER && password === MACHINE_PASSWORD) context.accept();
          else context.reject([...this.#methods] as never);
        };
        if (!this.#methods.includes(context.method)) return context.reject([...this.#methods] as never);
        if (context.method === 'password') return judged(context.password);
        if (context.method === 'keyboard-interactive')
          return context.prompt([{ prompt: 'Password: ', echo: false }], (answers) =>
            judged((answers as unknown as string[])[0]),
          );
        context.reject();
      });
      client.on('session', (accept) => {
        const session = accept();
        session.on('pty', (take) => take?.());
        session.on('window-change', (take) => take?.());
        session.on('sftp', (take, reject) => {
          if (this.sftp) this.sftp(take());
          else reject?.();
        });
        session.on('shell', (take) => {
          this.asked += 1;
          if (!this.mute) this.channels.push(take());
        });
      });
    });
    const server = createServer((connection) => {
      this.#connections.add(connection.setNoDelay(true));
      connection.on('close', () => this.#connections.delete(connection)).on('error', () => undefined);
      ssh.injectSocket(connection);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}
