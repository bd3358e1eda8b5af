// Compiles the simulator once for each version of its source, into the cache outside of the repository, and starts it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SOURCE = join(import.meta.dirname, 'simulator');
/** Where Debian's packages of Go libraries lie. */
const LIBRARIES = '/usr/share/gocode';
/** Milliseconds. */
const BUILD_LIMIT = 300_000;
const START_LIMIT = 20_000;

/** Path of the program. The first time on a machine takes half a minute; one process makes it, others wait. */
export function simulatorProgram(): string {
  const digest = createHash('sha256')
    .update(readFileSync(join(SOURCE, 'main.go')))
    .digest('hex')
    .slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'groundcrew');
  const program = join(folder, `vsphere-simulator-${digest}`);
  mkdirSync(folder, { recursive: true });
  if (!claimed(`${program}.making`, program)) return program;
  try {
    build(program, folder);
  } finally {
    rmSync(`${program}.making`, { recursive: true, force: true });
  }
  return program;
}

/** One process makes it, and the other ones wait. False: it is there. */
function claimed(claim: string, program: string): boolean {
  for (;;) {
    if (existsSync(program)) return false;
    try {
      mkdirSync(claim);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // Whoever claimed it may have been killed.
    const since = statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > BUILD_LIMIT) rmSync(claim, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
}

function build(program: string, folder: string): void {
  const unfinished = join(folder, `.${process.pid}.simulator`);
  const made = spawnSync('go', ['build', '-o', unfinished, join(SOURCE, 'main.go')], {
    encoding: 'utf8',
    timeout: BUILD_LIMIT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...{ GO111MODULE: 'off', GOPATH: LIBRARIES, GOCACHE: join(folder, 'go-build'), GOTOOLCHAIN: 'local' },
    },
  });
  if (made.status !== 0) {
    rmSync(unfinished, { force: true });
    throw new Error(`The simulator was not built: ${(made.stderr || String(made.error)).slice(-1_000)}`);
  }
  renameSync(unfinished, program);
}

export interface SimulatorOptions {
  mode: 'vc' | 'esx';
  account: { username: string; password: string };
  /** Flag without its dash → value. */
  flags: Readonly<Record<string, string>>;
}

export interface Simulator {
  /** `http://127.0.0.1:port`. */
  origin: string;
  stop(): Promise<void>;
}

/** Ready in some tenths of a second. */
export async function startSimulator({ mode, account, flags }: SimulatorOptions): Promise<Simulator> {
  const given = Object.entries({ mode, ...flags }).map(([name, value]) => `-${name}=${value}`);
  const child = spawn(simulatorProgram(), given, {
    // Where it looks for folders that datastores are named after.
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      SIMULATOR_USERNAME: account.username,
      SIMULATOR_PASSWORD: account.password,
      TMPDIR: process.env.TMPDIR ?? '/tmp',
    },
  });
  const address = await ready(child).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    origin: `http://${address}`,
    async stop() {
      child.stdin?.end();
      const killing = setTimeout(() => child.kill('SIGKILL'), 3000);
      await ended;
      clearTimeout(killing);
    },
  };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The simulator did not start in time.')), START_LIMIT);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The simulator ended at once with ${code}.`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const address = /^READY (\S+)$/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
}
