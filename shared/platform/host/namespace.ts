// The namespace driver: enforces for real, but inside one Linux network namespace, with files and pid files below the
// data folder. For development and the system tests.
import { mkdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execProgram, firstLine } from '../../ground/machine/exec.ts';
import type { DaemonSpec, ExecOptions, ExecResult, Host } from '../../ground/machine/host.ts';
import { hostFiles } from './files.ts';
import { realKeys } from './key-driver.ts';
import { observeLinks } from './links.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const NAMESPACES = '/run/netns';
const POLL = 20;
/** Milliseconds that a daemon has to start or to end; after that the start has failed, or the daemon is killed. */
const PATIENCE = 5_000;
const MISSING_PROGRAM = /^exec of "[^"]*" failed: No such file or directory/m;

/** @throws Error with one line when the name is malformed or the namespace doesn't exist. */
export async function namespaceHost(name: string, dataFolder: string): Promise<Host> {
  if (!NAME.test(name)) {
    throw new Error('The namespace of GROUNDCREW_HOST must be 1 to 64 letters, digits, hyphens or underscores.');
  }
  const place = join(NAMESPACES, name);
  const inode = await stat(place).then(
    (found) => found.ino,
    () => null,
  );
  if (inode === null) {
    throw new Error(`Network namespace ${name} does not exist; make it with: ip netns add ${name}`);
  }
  const files = hostFiles(join(dataFolder, 'host', `namespace-${name}`), realKeys(dataFolder));
  const exec = async (program: string, args: string[], options?: ExecOptions): Promise<ExecResult> => {
    const result = await execProgram('ip', ['netns', 'exec', name, program, ...args], options);
    // `ip` was found; what it could not find is the program.
    return result.code !== 0 && MISSING_PROGRAM.test(result.stderr) ? { ...result, code: 127 } : result;
  };
  const running = (daemon: DaemonSpec) => daemonPid(daemon, files.resolve(daemon.pidFile), inode);

  return {
    kind: 'namespace',
    name: `namespace:${name}`,
    label: `Namespace ${name}`,
    enforces: true,
    ...files,
    exec,
    links: () => observeLinks(exec),
    daemonRunning: async (daemon) => (await running(daemon)) !== null,
    async startDaemon(daemon) {
      if ((await running(daemon)) !== null) return;
      // The pid file of a killed daemon: chronyd would believe that another chronyd runs.
      await rm(files.resolve(daemon.pidFile), { force: true });
      await mkdir(dirname(files.resolve(daemon.pidFile)), { recursive: true });
      const { program, args } = daemon.launcher ?? daemon;
      const result = await exec(program, args);
      if (result.code !== 0) throw new Error(`${daemon.name} did not start: ${firstLine(result)}`);
      if (await within(async () => (await running(daemon)) !== null)) return;
      throw new Error(`${daemon.name} did not start: it wrote no valid pid file within ${PATIENCE / 1000} seconds`);
    },
    async stopDaemon(daemon) {
      const pid = await running(daemon);
      if (pid !== null) {
        signal(pid, 'SIGTERM');
        const ended = await within(() => hasEnded(pid));
        if (!ended) signal(pid, 'SIGKILL');
      }
      await rm(files.resolve(daemon.pidFile), { force: true });
    },
    async reloadDaemon(daemon) {
      const pid = await running(daemon);
      if (pid === null) throw new Error(`${daemon.name} is not running, so it cannot reload`);
      signal(pid, 'SIGHUP');
    },
  };
}

/**
 * The daemon's process, or null. A pid file outlives its process and pids are reused, so the process must run this
 * program in this namespace before it is signalled.
 */
async function daemonPid(daemon: DaemonSpec, pidFile: string, inode: number): Promise<number | null> {
  try {
    const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
    if (!(pid > 1)) return null;
    const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    const namespace = await readlink(`/proc/${pid}/ns/net`);
    const ours = basename(program) === basename(daemon.program) && namespace === `net:[${inode}]`;
    return ours ? pid : null;
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/**
 * A process that ends loses its command line before the kernel closes its sockets: only when it is a zombie or gone are
 * its ports free.
 */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

const GONE = new Set(['ENOENT', 'ESRCH', 'EACCES']);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function within(test: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE; waited += POLL) {
    if (await test()) return true;
    await pause(POLL);
  }
  return test();
}
