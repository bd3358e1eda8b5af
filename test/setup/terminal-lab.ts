// The web terminal of a real service in a network namespace: its sshd is real too, and so is the account. Root only.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Lab, makeLab } from './namespaces.ts';
import { ACCOUNT, OS_PASSWORD, withAccount } from './os-account.ts';
import { selfSigned } from './self-signed.ts';
import { serviceEnvironment } from './service-environment.ts';
import type { Walk } from './walking.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MANAGEMENT = 'https://10.77.0.1:8443';
const PASSWORD = 'ready the ground first';
const FETCH = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;

export class TerminalLab {
  readonly lab: Lab;
  readonly #folder: string;
  readonly service: ChildProcess;
  #token = '';
  #machine: ChildProcess | null = null;
  /** What service and clients wrote. */
  log = '';

  private constructor(name: string) {
    this.lab = makeLab(name);
    this.#folder = mkdtempSync(join(tmpdir(), `gc-${name}-`));
    // As each boot of Debian makes it; in a root that never booted it is missing, and sshd checks nothing without it.
    mkdirSync('/run/sshd', { recursive: true });
    const { certificate, private_key } = selfSigned('10.77.0.1');
    writeFileSync(join(this.#folder, 'cert.pem'), certificate);
    writeFileSync(join(this.#folder, 'key.pem'), private_key, { mode: 0o600 });
    const { program, args } = withAccount(join(this.#folder, 'etc'));
    this.service = spawn(program, [...args, 'ip', ...this.#inside('dist/main.js')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#environment(),
    });
    for (const stream of [this.service.stdout!, this.service.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.log += text));
  }

  static async open(name: string): Promise<TerminalLab> {
    const made = new TerminalLab(name);
    await made.until('the service listens', () => made.log.includes('"started"'));
    const scopes = ['interfaces', 'firewall', 'apply', 'terminal', 'vaults'].flatMap((each) => [
      '--scope',
      `write:${each}`,
    ]);
    const reads = ['jobs', 'audit', 'terminal-recordings'].flatMap((each) => ['--scope', `read:${each}`]);
    const words = ['token', 'create', '--name', 'test', '--lifetime', '1d', ...scopes, ...reads];
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const options = { cwd: ROOT, stdio, env: made.#environment() };
    made.#token = String(execFileSync('ip', made.#inside('dist/groundcrew.js', ...words), options)).trim();
    made.api('PATCH', '/api/v1/firewall/settings', { enabled: false });
    return made;
  }

  #inside(...args: string[]): string[] {
    return ['netns', 'exec', this.lab.appliance, process.execPath, ...args];
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ...serviceEnvironment,
      NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', serviceEnvironment.NODE_OPTIONS].join(' ').trim(),
      GROUNDCREW_DATA: join(this.#folder, 'd'),
      GROUNDCREW_LISTEN: '0.0.0.0:8443',
      GROUNDCREW_TLS_CERT: join(this.#folder, 'cert.pem'),
      GROUNDCREW_TLS_KEY: join(this.#folder, 'key.pem'),
      GROUNDCREW_HOST: `namespace:${this.lab.appliance}`,
      GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
    };
  }

  /** Who opens a terminal from the other machine. */
  get asked(): Walk {
    return { origin: MANAGEMENT, user: 'admin', password: PASSWORD, account: ACCOUNT, os_password: OS_PASSWORD };
  }

  async until(what: string, holds: () => boolean, limit = 60_000): Promise<void> {
    for (let waited = 0; waited < limit; waited += 50) {
      if (holds()) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`${what}: not within ${limit} ms\n${this.log.slice(-3_000)}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  api(method: string, path: string, body?: unknown): any {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const options = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const said = this.lab.inClient(process.execPath, '-e', FETCH, MANAGEMENT + path, options);
    if (said === '') throw new Error(`${method} ${path}: no answer\n${this.log.slice(-3_000)}`);
    const { status, text } = JSON.parse(said);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text.startsWith('{') ? JSON.parse(text) : text;
  }

  async apply() {
    const plan = this.api('POST', '/api/v1/apply/plans', {});
    const path = `/api/v1/apply/plans/${plan.id}`;
    const { job_id, confirm } = this.api('POST', `${path}/submit`, { digest: plan.digest });
    if (confirm) {
      await this.until('the plan is in force', () => this.api('GET', path).state === 'confirming');
      this.api('POST', `${path}/confirm`, { nonce: confirm.nonce });
    }
    const job = () => this.api('GET', `/api/v1/jobs/${job_id}`);
    await this.until('the apply ends', () => ['succeeded', 'failed'].includes(job().state));
    if (job().state !== 'succeeded') throw new Error(JSON.stringify(job()));
    return this.api('GET', path);
  }

  /** The files of recordings, as they lie on the disk. */
  recordings(): string[] {
    const folder = join(this.#folder, 'd/recordings');
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  }

  /** Another machine: OpenSSH's server at 10.77.0.2, with the same account. Answers the fingerprint of its host key, a new one. */
  machine(port: number): string {
    const folder = mkdtempSync(join(this.#folder, 'machine-'));
    const { program, args } = withAccount(join(folder, 'etc'));
    // Debian's own asks for modules that need a machine that booted.
    cpSync(join(ROOT, 'build/appliance/pam.conf'), join(folder, 'etc/pam.d/sshd'));
    const key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    const lines = [
      ...[`Port ${port}`, 'ListenAddress 10.77.0.2', `HostKey ${key}`, 'PidFile none', 'StrictModes no'],
      ...['UsePAM yes', 'PasswordAuthentication yes', 'KbdInteractiveAuthentication no', ''],
    ];
    writeFileSync(join(folder, 'sshd_config'), lines.join('\n'));
    const words = ['netns', 'exec', this.lab.client, '/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'sshd_config')];
    this.#machine?.kill('SIGTERM');
    this.#machine = spawn(program, [...args, 'ip', ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#machine.stderr!.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    return execFileSync('ssh-keygen', ['-l', '-f', `${key}.pub`], { encoding: 'utf8' }).split(' ')[1]!;
  }

  async close(): Promise<void> {
    this.#machine?.kill('SIGTERM');
    const ended = new Promise((done) => this.service.on('exit', done));
    this.service.kill('SIGTERM');
    await ended;
    this.lab.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
