// Programs that a test starts as processes of their own, to kill them: bundled once per test file, pages included.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { companions } from '../../build/source-tree.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Bundles a TypeScript program of the test tree; answers the path of the result. `split`: what is imported when it is needed
 * stays apart, so that a program that does not need it starts sooner.
 */
export async function bundleProgram(source: string, { split = false } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-program-'));
  const outfile = join(folder, 'program.mjs');
  await build({
    absWorkingDir: ROOT,
    ...(split
      ? { entryPoints: { program: source }, outdir: folder, outExtension: { '.js': '.mjs' }, splitting: true }
      : { entryPoints: [source], outfile }),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['sqlite3', 'knex', '@aws-sdk/*', 'cpu-features'],
    banner: {
      js: "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  // What stays outside of the bundle is found beside it.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // Programs of our own that run beside the service are looked for beside the running bundle.
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...companions(),
      watchdog: 'shared/appliance/apply/window/watchdog.ts',
      'apart-worker': 'shared/ground/store/apart-worker.ts',
    },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['sqlite3', 'knex', '@aws-sdk/*', 'cpu-features'],
    banner: {
      js: "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}

/** A program that lives this long hangs, also on a busy machine. */
const HANGS_MS = 240_000;

export interface Ended {
  code: number | null;
  signal: string | null;
  /** Lines of standard output. */
  lines: string[];
  stderr: string;
}

/**
 * Starts a program; `onLine` sees each line of its output as it comes. Ended by SIGKILL when it hangs. Lives of one
 * program share what V8 compiled of it, from the first that calls flushCompileCache() on: one that is killed keeps nothing.
 */
export function startProgram(
  path: string,
  args: string[],
  options: { onLine?: (line: string) => void; env?: Record<string, string> } = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(dirname(path), 'compiled'), ...options.env },
  });
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      options.onLine?.(line);
    }
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, lines, stderr });
    });
  });
  return { child, ended };
}
