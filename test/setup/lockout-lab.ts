// A lab to be locked out of: an appliance, a router, and a client behind it, each a network namespace; the real service
// in the first, and somebody in each of the two others and beside the service who sends requests.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { windowIn } from '../../shared/appliance/apply/window/confirm-window.ts';
import type { WindowRecord } from '../../shared/appliance/apply/window/record.ts';
import { readWindow } from '../../shared/appliance/apply/window/record-file.ts';
import type { Asked, Said } from './namespace-client.ts';
import { endProcesses } from './namespaces.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'ready the ground first';
export const PORT = 8080;
/** Where the client finds the appliance. */
export const HOME = '10.77.0.1';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  error: string | undefined;
}

/** Somebody who sends requests from one namespace. */
export class Somebody {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (said: Said) => void>();
  #count = 0;
  token = '';

  readonly #home: string;

  constructor(namespace: string, home: string) {
    this.#home = home;
    const program = join(ROOT, 'test/setup/namespace-client.ts');
    this.#process = spawn('ip', ['netns', 'exec', namespace, process.execPath, program, 'serve'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    let rest = '';
    this.#process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const said of lines.map((line) => JSON.parse(line) as Said)) {
        this.#waiting.get(said.id)?.(said);
        this.#waiting.delete(said.id);
      }
    });
  }

  #ask(asked: Omit<Asked, 'id'>): Promise<Said> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((done) => {
      this.#waiting.set(id, done);
      this.#process.stdin!.write(`${JSON.stringify({ id, ...asked })}\n`);
    });
  }

  async api(method: string, path: string, body?: unknown, how: { at?: string; kept?: boolean } = {}): Promise<Answer> {
    const said = await this.#ask({
      what: 'http',
      method,
      url: `http://${how.at ?? this.#home}:${PORT}/api/v1${path}`,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      kept: how.kept === true,
      limit: 60_000,
    });
    const text = said.text ?? '';
    return {
      status: said.status ?? 0,
      headers: (said.headers ?? {}) as Record<string, string>,
      body: text.startsWith('{') ? JSON.parse(text) : text,
      error: said.error,
    };
  }

  /** Milliseconds until packets find their way to the management port and back; null: not within `limit`. */
  async reaches(limit: number, at = HOME): Promise<number | null> {
    return (await this.#ask({ what: 'reach', url: `http://${at}:${PORT}`, limit })).reached ?? null;
  }

  leave(): void {
    this.#process.kill('SIGKILL');
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export class LockoutLab {
  readonly appliance: string;
  readonly client: Somebody;
  /** Beside the service, over loopback. */
  readonly local: Somebody;
  readonly data = mkdtempSync(join(tmpdir(), 'groundcrew-lockout-'));
  /** A copy of what was built: somebody may build again meanwhile. */
  readonly #programs = mkdtempSync(join(tmpdir(), 'groundcrew-lockout-dist-'));
  readonly #namespaces: string[];
  #service: ChildProcess | null = null;
  log = '';

  private constructor(name: string) {
    cpSync(join(ROOT, 'dist'), join(this.#programs, 'dist'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#programs, 'node_modules'));
    this.#namespaces = ['ap', 'rt', 'cl'].map((end) => `gct-${name}-${process.pid}-${end}`);
    const [appliance, router, client] = this.#namespaces as [string, string, string];
    this.appliance = appliance;
    for (const namespace of this.#namespaces) {
      ip('netns', 'add', namespace);
      ip('-n', namespace, 'link', 'set', 'lo', 'up');
    }
    const wire = (name: string, from: string, peer: string, to: string) => {
      ip('link', 'add', name, 'netns', from, 'type', 'veth', 'peer', 'name', peer, 'netns', to);
      ip('-n', from, 'link', 'set', name, 'up');
      ip('-n', to, 'link', 'set', peer, 'up');
    };
    wire('mgmt0', appliance, 'r0', router);
    wire('lab0', appliance, 'r1', router);
    wire('c0', client, 'r2', router);
    for (const [namespace, address, link] of [
      [appliance, `${HOME}/24`, 'mgmt0'],
      [router, '10.77.0.254/24', 'r0'],
      [router, '10.88.0.254/24', 'r1'],
      [router, '10.99.0.1/24', 'r2'],
      [client, '10.99.0.2/24', 'c0'],
    ] as const)
      ip('-n', namespace, 'addr', 'add', address, 'dev', link);
    ip('-n', appliance, 'route', 'add', 'default', 'via', '10.77.0.254');
    ip('-n', client, 'route', 'add', 'default', 'via', '10.99.0.1');
    ip('netns', 'exec', router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    this.client = new Somebody(client, HOME);
    this.local = new Somebody(appliance, '127.0.0.1');
  }

  /** Starts everything; who sends requests has a token. */
  static async open(name: string): Promise<LockoutLab> {
    const lab = new LockoutLab(name);
    await lab.start();
    const scopes = ['write:interfaces', 'write:firewall', 'write:apply', 'write:dns', 'read:jobs', 'read:audit'];
    const words = ['token', 'create', '--name', 'test', '--lifetime', '1d'];
    const token = execFileSync(
      'ip',
      lab.#inside('dist/groundcrew.js', ...words, ...scopes.flatMap((scope) => ['--scope', scope])),
      { cwd: lab.#programs, encoding: 'utf8', env: lab.#environment() },
    ).trim();
    lab.client.token = token;
    lab.local.token = token;
    return lab;
  }

  #inside = (...words: string[]) => ['netns', 'exec', this.appliance, process.execPath, ...words];

  #environment() {
    return {
      ...process.env,
      GROUNDCREW_DATA: this.data,
      GROUNDCREW_LISTEN: `0.0.0.0:${PORT}`,
      GROUNDCREW_HOST: `namespace:${this.appliance}`,
      GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
    };
  }

  async start(): Promise<void> {
    let said = '';
    this.#service = spawn('ip', this.#inside('dist/main.js'), {
      cwd: this.#programs,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#environment(),
    });
    for (const stream of [this.#service.stdout!, this.#service.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        this.log += text;
      });
    await this.until('the service listens', () => said.includes('"started"'));
  }

  /** kill -9; `ip netns exec` becomes the program itself. */
  async kill(): Promise<void> {
    const service = this.#service;
    if (!service) return;
    const ended = new Promise((done) => service.on('exit', done));
    service.kill('SIGKILL');
    await ended;
    this.#service = null;
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#service!.on('exit', done));
    this.#service!.kill('SIGTERM');
    await ended;
    this.#service = null;
  }

  /** A further watchdog, as if somebody had started it by hand. */
  watchdog(): void {
    spawn('ip', this.#inside('dist/watchdog.js', this.data, `namespace:${this.appliance}`), {
      cwd: this.#programs,
      stdio: 'ignore',
      detached: true,
    }).unref();
  }

  record(): Promise<WindowRecord | null> {
    return readWindow(join(this.data, 'apply'));
  }

  /** What an operator can't: a window shorter than it may be. */
  async shorten(plan_id: string, seconds: number): Promise<void> {
    const folder = join(this.data, 'apply');
    await windowIn({ host: null as never, folder, startWatchdog: async () => undefined }).extend(plan_id, seconds);
  }

  async until(what: string, holds: () => boolean | Promise<boolean>, limit = 60_000): Promise<void> {
    for (const began = performance.now(); performance.now() - began < limit; ) {
      if (await holds()) return;
      await pause(25);
    }
    throw new Error(`${what}: not within ${limit} ms\n${this.log.slice(-3_000)}`);
  }

  #run(program: string, ...args: string[]): string {
    const ran = spawnSync('ip', ['netns', 'exec', this.appliance, program, ...args], { encoding: 'utf8' });
    return ran.stdout;
  }

  /**
   * Files, links, addresses, routes and packet filter, as far as an apply may change them. Link-local addresses, which
   * networkd leaves on a link that it did not take down, only where they are asked for.
   */
  hostState({ linkLocal = false } = {}): Record<string, unknown> {
    const kept = (text: string) => linkLocal || !text.startsWith('fe80:');
    type Shown = { ifname: string; mtu: number; flags: string[]; addr_info: { local: string; prefixlen: number }[] };
    const links = JSON.parse(this.#run('ip', '-j', 'addr', 'show')) as Shown[];
    const routes = [this.#run('ip', '-4', 'route', 'show'), this.#run('ip', '-6', 'route', 'show')].join('');
    return {
      files: filesBelow(join(this.data, 'host', `namespace-${this.appliance}`, 'etc')),
      links: links.map(({ ifname, mtu, flags, addr_info }) => ({
        ifname,
        mtu,
        up: flags.includes('UP'),
        addresses: addr_info
          .map(({ local, prefixlen }) => `${local}/${prefixlen}`)
          .filter(kept)
          .sort(),
      })),
      routes: routes
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .filter(kept)
        .sort(),
      filter: this.#run('nft', '-s', 'list', 'ruleset'),
    };
  }

  async close(): Promise<void> {
    await this.kill();
    for (const each of [this.client, this.local]) each.leave();
    for (const namespace of this.#namespaces) {
      endProcesses(namespace);
      spawnSync('ip', ['netns', 'del', namespace], { stdio: 'ignore' });
    }
    for (const folder of [this.data, this.#programs]) rmSync(folder, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): Record<string, string> {
  let names: string[] = [];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    // Nothing was written there yet.
  }
  const files: Record<string, string> = {};
  for (const name of names.sort()) {
    try {
      files[name] = readFileSync(join(folder, name), 'utf8');
    } catch {
      // A folder.
    }
  }
  return files;
}
