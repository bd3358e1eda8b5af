// A shell that tests call the command line in: the program as it is bundled, an empty folder, and a look into its data.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { openKeys } from '../../shared/ground/sealing/keys.ts';
import { openStore } from '../../shared/ground/store/open-store.ts';
import { AT_OWN_COST, PASSWORD } from '../setup/house.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const ADMIN = PASSWORD;

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

interface Inside {
  store: Awaited<ReturnType<typeof openStore>>;
  keys: Awaited<ReturnType<typeof openKeys>>;
}

export class Shell {
  readonly folder: string;
  readonly data: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.data = join(folder, 'data');
  }

  /** Bundled as build/bundle.ts does, so that the test does not depend on an earlier build. */
  static async open(): Promise<Shell> {
    const folder = await mkdtemp(join(tmpdir(), 'groundcrew-cli-'));
    await build({
      absWorkingDir: ROOT,
      entryPoints: { groundcrew: 'runtime/cli/main.ts' },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      external: ['sqlite3', 'knex', '@aws-sdk/*', 'cpu-features'],
      banner: {
        js: "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return new Shell(folder);
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** What the service makes when it starts for the first time. */
  async firstStart(): Promise<void> {
    const config = readConfig({ GROUNDCREW_DATA: this.data, GROUNDCREW_LOG_LEVEL: 'error' });
    const services = await openServices(config);
    await firstStart(services, ADMIN, () => undefined);
    // The program takes no account of less than its own cost.
    await services.store.write((tx) => tx.run('UPDATE user SET password_hash = ?', [AT_OWN_COST]));
    await services.store.close();
  }

  run(words: string[], options: { input?: string; env?: Record<string, string> } = {}): Promise<Ran> {
    const NODE_COMPILE_CACHE = join(this.folder, 'compiled');
    const own = { PATH: process.env.PATH, GROUNDCREW_DATA: this.data, GROUNDCREW_ADMIN_PASSWORD: ADMIN };
    const env = { ...own, NODE_COMPILE_CACHE, ...options.env };
    const child = spawn(process.execPath, [join(this.folder, 'groundcrew.mjs'), ...words], { env });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.err += text));
    child.stdin.end(options.input ?? '');
    return new Promise((done) => child.on('close', (code) => done({ ...ran, code })));
  }

  async inside<T>(work: (shell: Inside) => Promise<T>): Promise<T> {
    const store = await openStore(this.data);
    try {
      return await work({ store, keys: await openKeys(this.data, systemEntropy, true) });
    } finally {
      await store.close();
    }
  }

  auditRows() {
    return this.inside(({ store }) =>
      store.all<{ action: string; actor_kind: string; actor_name: string; detail: string }>(
        'SELECT * FROM audit_event ORDER BY seq',
      ),
    );
  }
}
