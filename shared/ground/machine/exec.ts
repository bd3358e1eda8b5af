// Running a program: never through a shell, never without an end, never with more output than fits.
import { spawn } from 'node:child_process';
import type { ExecOptions, ExecResult } from './host.ts';

const DEFAULT_TIMEOUT = 10_000;
/** Bytes stored of each of stdout and stderr; the rest is read and dropped, so that the program doesn't block. */
const DEFAULT_OUTPUT = 256 * 1024;
/** Milliseconds to wait for the pipes after the program's end; a daemon that it left behind may hold them open. */
const DRAIN = 200;
const CODE_TIMEOUT = 124;
const CODE_NOT_EXECUTABLE = 126;
const CODE_MISSING = 127;

/** A fixed environment: the answers of `ip` and others are parsed, and the service's own variables hold a password. */
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/**
 * Runs a program and answers its code and output. Code 124: killed at the timeout; 126: not executable; 127: missing;
 * 128 + n: ended by signal n is reported as 128. Never throws.
 */
export function execProgram(program: string, args: string[], options: ExecOptions = {}): Promise<ExecResult> {
  return new Promise((resolve) => {
    // A process group of its own, so that a timeout also ends what the program started.
    const child = spawn(program, args, { env: ENVIRONMENT, stdio: 'pipe', detached: true });
    const stdout = keep(options.output ?? DEFAULT_OUTPUT);
    const stderr = keep(options.output ?? DEFAULT_OUTPUT);
    let code: number | null = null;
    let done = false;
    const finish = (result: number, fault = ''): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      for (const pipe of [child.stdout, child.stderr, child.stdin]) pipe.destroy();
      resolve({ code: result, stdout: stdout.text(), stderr: stderr.text() + fault });
    };
    const timer = setTimeout(() => {
      code = CODE_TIMEOUT;
      // One that gave its rights up is of another account, which may not be ours to end: nobody waits for it.
      if (child.pid !== undefined && !killGroup(child.pid)) finish(CODE_TIMEOUT);
    }, options.timeout ?? DEFAULT_TIMEOUT);

    child.stdout.on('data', stdout.add);
    const { heard } = options;
    if (heard) child.stdout.on('data', (chunk: Buffer) => heard(chunk.toString('utf8')));
    child.stderr.on('data', stderr.add);
    // A program that doesn't read its input closes the pipe; its exit code is what counts.
    child.stdin.on('error', () => undefined);
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      finish(missing ? CODE_MISSING : CODE_NOT_EXECUTABLE, `${program}: ${missing ? 'not found' : error.code}\n`);
    });
    child.on('exit', (status) => {
      code ??= status ?? 128;
      setTimeout(() => finish(code ?? 128), DRAIN).unref();
    });
    child.on('close', () => finish(code ?? 128));
    child.stdin.end(options.input ?? '');
  });
}

/** Answers whether it may be ended. */
function killGroup(pid: number): boolean {
  try {
    process.kill(-pid, 'SIGKILL');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    return code === 'ESRCH';
  }
}

function keep(limit: number): { add: (chunk: Buffer) => void; text: () => string } {
  const chunks: Buffer[] = [];
  let room = limit;
  return {
    add(chunk) {
      if (room <= 0) return;
      chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

/** The first line that a failed program wrote, for an error message. */
export function firstLine(result: ExecResult): string {
  const line = `${result.stderr}\n${result.stdout}`.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? `ended with code ${result.code}`;
}
