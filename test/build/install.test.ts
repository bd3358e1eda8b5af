// What an update of the installed programs leaves for a service that still runs, and how it goes back when the new ones do not
// answer, by the installer's own functions.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

const INSTALLER = readFileSync(resolve(import.meta.dirname, '../../build/appliance/install.sh'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bodyOf = (name: string): string => new RegExp(`^${name}\\(\\) \\{\\n[^]*?^\\}`, 'm').exec(INSTALLER)![0];

/** Calls a function of the installer with folders below the test's own. */
function call(name: string, ...folders: string[]): void {
  const body = bodyOf(name);
  execFileSync('sh', ['-euc', `${body}\n${name} "$@"`, 'sh', ...folders.map((each) => join(folder, each))]);
}

function lay(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const chunks = (of: string) => readdirSync(join(folder, of, 'chunks')).sort();

test('the parts of the programs that run stay until the service was restarted, then go', () => {
  lay('old/chunks/migrate-AAAA.js', 'old');
  lay('old/chunks/same-BBBB.js', 'same');
  lay('built/chunks/migrate-CCCC.js', 'new');
  lay('built/chunks/same-BBBB.js', 'same');
  lay('new/chunks/migrate-CCCC.js', 'new');
  lay('new/chunks/same-BBBB.js', 'same');
  call('keep_chunks', 'old', 'new');
  expect(chunks('new')).toEqual(['migrate-AAAA.js', 'migrate-CCCC.js', 'same-BBBB.js']);
  expect(readFileSync(join(folder, 'new/chunks/migrate-CCCC.js'), 'utf8')).toBe('new');
  call('drop_chunks', 'new', 'built');
  expect(chunks('new')).toEqual(['migrate-CCCC.js', 'same-BBBB.js']);
});

test('a first installation has nothing to keep', () => {
  lay('fresh/chunks/main-DDDD.js', 'new');
  call('keep_chunks', 'nowhere', 'fresh');
  expect(chunks('fresh')).toEqual(['main-DDDD.js']);
});

test('they are kept before the programs take their place, and dropped only after the restart', () => {
  const places = [
    'keep_chunks "$program',
    'mv "$new" "$program"',
    'systemctl restart groundcrew',
    'drop_chunks "$program',
  ];
  const at = places.map((text) => INSTALLER.indexOf(text));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(at.every((place) => place > 0)).toBe(true);
});

describe('what does not answer', () => {
  const at = (path: string) => join(folder, 'system', path);
  const PAM = 'etc/pam.d/groundcrew-terminal';
  const FUNCTIONS = [
    'save_installed',
    'put_installed',
    'newest_migration',
    'answers',
    'wait_for_answer',
    'go_back',
    'stop_storage',
  ];

  /** Runs a line of shell with the installer's functions, in a system below the test's folder. */
  function shell(line: string, more = ''): Promise<{ code: number | null; said: string }> {
    const script = `
      root='${at('')}' units='${at('units')}' program='${at('program')}' former='${at('former')}' data='${at('data')}'
      settings='${at('groundcrew.env')}' mounts='${at('mounts')}' patience=0 pam=/${PAM}
      say() { printf '%s\\n' "$*"; }
      systemctl() { printf '%s\\n' "systemctl $*"; }
      ${FUNCTIONS.map(bodyOf).join('\n')}
      ${more}
      ${line}`;
    const child = spawn('sh', ['-euc', script]);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    return new Promise((done) => child.on('close', (code) => done({ code, said })));
  }

  function put(path: string, text: string, mode = 0o644): void {
    lay(join('system', path), text);
    chmodSync(at(path), mode);
  }
  const textOf = (path: string) => readFileSync(at(path), 'utf8');

  /** A copy that a migration made, so many minutes after the first. */
  function snapshot(schema: number, minutes: number): string {
    const name = `schema-${schema}-20260501T080${minutes}00000Z-before-migration.sqlite`;
    put(`data/data/snapshots/${name}`, '');
    const when = new Date(Date.UTC(2026, 4, 1, 8, minutes));
    utimesSync(at(`data/data/snapshots/${name}`), when, when);
    return name;
  }

  beforeEach(async () => {
    rmSync(at(''), { recursive: true, force: true });
    put('program/main', 'old');
    put('units/groundcrew.service', 'old');
    put('units/groundcrew-gone.service', 'old');
    put('usr/bin/groundcrew', 'old', 0o755);
    for (const place of ['sysusers.d', 'tmpfiles.d']) put(`usr/lib/${place}/groundcrew.conf`, `old ${place}`);
    put(PAM, 'old');
    put('data/data/groundcrew.sqlite', '');
    expect(await shell('save_installed "$program"; mv "$program" "$former"')).toEqual({ code: 0, said: '' });
    put('program/main', 'new');
    put('units/groundcrew.service', 'new');
    put('units/groundcrew-added.service', 'new');
    rmSync(at('units/groundcrew-gone.service'));
    put(PAM, 'new');
    put('usr/bin/groundcrew', `#!/bin/sh\necho "groundcrew $*"\n`, 0o755);
    for (const place of ['sysusers.d', 'tmpfiles.d']) put(`usr/lib/${place}/groundcrew.conf`, `new ${place}`);
  });

  function expectFormer(): void {
    expect(textOf('program/main')).toBe('old');
    expect(readdirSync(at('units')).sort()).toEqual(['groundcrew-gone.service', 'groundcrew.service']);
    expect([textOf('units/groundcrew.service'), textOf('usr/bin/groundcrew')]).toEqual(['old', 'old']);
    expect(textOf('usr/lib/sysusers.d/groundcrew.conf')).toBe('old sysusers.d');
    expect(textOf('usr/lib/tmpfiles.d/groundcrew.conf')).toBe('old tmpfiles.d');
    expect(textOf(PAM)).toBe('old');
    for (const left of ['former', 'program.failed']) expect(existsSync(at(left))).toBe(false);
  }

  test('gives its place to the former programs, with all that belongs to them, and is stopped before', async () => {
    const { code, said } = await shell('go_back ""', 'answers() { return 0; }');
    expect([code, said.trim().split('\n')]).toEqual([
      0,
      ['systemctl stop groundcrew.service', 'systemctl daemon-reload', 'systemctl start groundcrew.service'],
    ]);
    expectFormer();
  });

  test('takes the rules of a sign-in with it that the former programs did not have', async () => {
    rmSync(at('former/installed/pam.conf'));
    expect((await shell('go_back ""', 'answers() { return 0; }')).code).toBe(0);
    expect(existsSync(at(PAM))).toBe(false);
  });

  test('leaves the database as it was before its migration, by the newest copy', async () => {
    const earlier = snapshot(9, 1);
    expect((await shell('newest_migration')).said).toBe(`${earlier}\n`);
    const newest = snapshot(10, 2);
    put('data/data/snapshots/schema-10-20260501T090000000Z-on-request.sqlite', '');
    const { code, said } = await shell(`go_back ${earlier}`, 'answers() { return 0; }');
    expect(code).toBe(0);
    expect(said.split('\n').slice(0, 2)).toEqual([
      'systemctl stop groundcrew.service',
      `groundcrew data restore ${newest}`,
    ]);
    expectFormer();
  });

  test('leaves the database alone when nothing was migrated', async () => {
    const { said } = await shell(`go_back ${snapshot(9, 1)}`, 'answers() { return 0; }');
    expect(said).not.toContain('restore');
    expectFormer();
  });

  test('stays, with nothing running, when the database can not be put back: the former programs could not read it', async () => {
    snapshot(9, 1);
    put('usr/bin/groundcrew', '#!/bin/sh\nexit 1\n', 0o755);
    const { code, said } = await shell('go_back ""', 'answers() { return 0; }');
    expect([code, said]).toEqual([1, expect.stringContaining('could not be put back')]);
    expect(said).not.toContain('systemctl start');
    expect([textOf('program/main'), textOf('former/main')]).toEqual(['new', 'old']);
  });

  test('is told from what does by its health', async () => {
    let status = 200;
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, answer) => {
      asked.push(url);
      answer.writeHead(status).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    mkdirSync(at('program/bin'));
    symlinkSync(process.execPath, at('program/bin/node'));
    for (const listen of [`0.0.0.0:${port}`, `"127.0.0.1:${port}"`, `[::]:${port}`]) {
      put('groundcrew.env', `# settings\nGROUNDCREW_HOST=system\nGROUNDCREW_LISTEN=${listen}\n`);
      expect(await shell('wait_for_answer')).toEqual({ code: 0, said: '' });
    }
    status = 503;
    expect((await shell('wait_for_answer')).code).toBe(1);
    await new Promise((done) => server.close(done));
    expect((await shell('wait_for_answer')).code).toBe(1);
    expect(new Set(asked)).toEqual(new Set(['/healthz']));
  });

  test('what is removed ends its exports and unmounts its volumes first, while the packet filter stands', async () => {
    for (const name of ['srv-datastores-a.mount', String.raw`srv-datastores-v\x2d1.mount`, 'other.mount'])
      put(`mounts/${name}`, '');
    const { code, said } = await shell('stop_storage', 'running() { :; }');
    const lines = ['a', String.raw`v\x2d1`].flatMap((name) => [
      `systemctl stop srv-datastores-${name}.mount`,
      `systemctl disable --quiet srv-datastores-${name}.mount`,
    ]);
    expect([code, said.trim().split('\n')]).toEqual([0, ['systemctl stop nfs-server.service', ...lines]]);
    const busy = 'running() { :; }; systemctl() { case "$*" in "stop srv-"*) return 1 ;; esac; }';
    expect(await shell('stop_storage', busy)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/a\.mount is in use/),
    });
    const removal = bodyOf('remove');
    const at = ['stop_storage', 'nft delete table'].map((text) => removal.indexOf(text));
    expect(at[0]! > 0 && at[0]! < at[1]!).toBe(true);
  });
});

test('the former programs are kept before the new ones come, and are gone back to before their parts are dropped', () => {
  const places = [
    'save_installed "$program"',
    'mv "$program" "$former"',
    'mv "$new" "$program"',
    'before=$(newest_migration)',
    'systemctl restart groundcrew',
    'if ! wait_for_answer',
    'if go_back "$before"',
    'drop_chunks "$program',
  ];
  const at = places.map((text) => INSTALLER.lastIndexOf(text));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(at.every((place) => place > 0)).toBe(true);
});
