// Every external program that the product, its installation or a test calls stands in the table of whoever provides it, and
// every entry of such a table is called. The calls are found in the source (build/programs/).
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { NEEDS, type Need } from '../../build/machine.ts';
import { type Call, programCalls, reachedFrom } from '../../build/programs/calls.ts';
import { EVERY_DEBIAN } from '../../build/programs/everywhere.ts';
import { shellPrograms } from '../../build/programs/shell.ts';
import { filesBelow, ROOT } from '../../build/source-tree.ts';
import { BENCH_NEEDS, named, SUITES, suiteOf } from '../../build/suites.ts';
import { PROGRAMS } from '../../pages/help/subjects/install.tsx';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Calls whose program the source does not spell, and what they run. Nothing: what npm or a test itself brings. */
const ACCOUNTED: Readonly<Record<string, readonly string[]>> = {
  "build/new-operation.ts: join(root, 'node_modules/.bin/biome')": [],
  'build/openapi.ts: join(ROOT, OASDIFF)': [],
  // Of a list in shared/platform/host/system-questions.ts, which is read.
  'runtime/enforce/verbs.ts: program': [],
  // That of a daemon, or of its launcher, which are read where they are made.
  'shared/platform/host/namespace.ts: program': [],
  'shared/platform/network/forwarding.ts: option': ['ip'],
  'test/bench/http.bench.ts: command[0]': ['wrk'],
  "test/contract/new-operation.test.ts: join(tree, 'node_modules/.bin/tsc')": [],
  // Compiled by `go`.
  'test/fakes/vsphere/simulator.ts: simulatorProgram()': [],
  "test/setup/browser.ts: join(folder, 'chromium')": ['chromium'],
  'test/setup/sshd.ts: program()': ['sshd'],
  'test/shared/services/dns-dhcp/dns/daemon.test.ts: daemon.program': ['dnsmasq'],
  "test/shared/services/dns-dhcp/dns/daemon.test.ts: command.split(' ')": ['ip'],
  "test/shared/services/dns-dhcp/dns/daemon.test.ts: `-n ${NAMESPACE} addr add ${LISTEN6}/64 dev ap0 nodad`.split(' ')":
    ['ip'],
  'test/shared/platform/network/daemon.test.ts: args': ['unshare'],
  // Lines of the public page.
  "test/system/certificate-trust.test.ts: linesOf('Chrome and Chromium on Linux').replaceAll('/tmp/', `${data}/`)": [
    'curl',
    'openssl',
    'certutil',
  ],
  // What starts slapd, cut off.
  'test/system/directory-follow.test.ts: START.replace(`${step}\\n`, `${step}\\nkill -9 $$\\n`)': ['slapadd', 'slapd'],
  // An account in a mount namespace of its own.
  'test/setup/terminal-lab.ts: program': ['unshare'],
};

/** Asked for by who switches the web terminal on, or orders work on a disk; its check says so, and all else does without. */
const ON_DEMAND = ['sshd', 'ssh-keygen', 'mkfs.xfs', 'mkfs.ext4', 'xfs_growfs', 'resize2fs'];

/** Calls that start nothing here: what is tested is that they are refused, that the program is missing, or another Debian. */
const STARTS_NOTHING = new Set([
  ...['pamtester', 'sssd', 'useradd'].map((program) => `test/appliance/directory-sssd.test.ts ${program}`),
  'test/contract/write-transaction.test.ts dnsmasq',
  'test/shared/platform/host/drivers.test.ts dnsmasq',
  'test/shared/platform/host/drivers.test.ts ip',
  'test/shared/platform/host/drivers.test.ts x',
  'test/shared/platform/host/namespace.test.ts groundcrew-no-such-program',
]);
/**
 * The server of datastores. The kernel's comes with a package that an appliance without datastores does not need, and is
 * started by the name of its unit; a network namespace has Ganesha in its place, which no appliance runs.
 */
const NFS_SERVERS = new Set(['rpc.nfsd', 'ganesha.nfsd', 'rpcbind']);
/** A second opinion where it is installed; the tests that ask for it have others. */
const OPTIONAL = new Set(['python3']);

const sources = new Map(
  ['build', 'handlers', 'runtime', 'shared', 'test']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.(?:tsx?|mjs|cjs)$/.test(path))
    .map((path) => [path, read(path)]),
);
const found = programCalls(sources);
const keyOf = ({ path, said }: Call): string => `${path}: ${said}`;
const startsNothing = ({ path, program }: Call): boolean => STARTS_NOTHING.has(`${path} ${program}`);
const calls = found
  .flatMap((call) =>
    call.program === null ? (ACCOUNTED[keyOf(call)] ?? []).map((program) => ({ ...call, program })) : call,
  )
  .filter((call) => !startsNothing(call));

const everywhere = new Set(Object.values(EVERY_DEBIAN).flat());
const sorted = (names: Iterable<string | null>): (string | null)[] => [...new Set(names)].sort();
const shown = ({ path, line, program }: Call): string => `${program} in ${path}:${line}`;
const ofScript = (path: string): Call[] =>
  shellPrograms(read(path)).map((program) => ({ path, line: 1, program, said: program }));

describe('calls in the source', () => {
  test('whose program is not spelled are accounted for, each', () => {
    expect(sorted(found.filter(({ program }) => program === null).map(keyOf))).toEqual(sorted(Object.keys(ACCOUNTED)));
  });

  test('that start nothing are still there, each', () => {
    const there = found.filter(startsNothing).map(({ path, program }) => `${path} ${program}`);
    expect(sorted(there)).toEqual(sorted(STARTS_NOTHING));
  });
});

/** `/usr/share/OVMF`: what is below is somebody's own business. */
const folderOf = (file: string): string => dirname(file).split('/').slice(0, 4).join('/');

describe('what a suite calls', () => {
  const tests = [...sources.keys()].filter((path) => /^test\/.*\.test\.tsx?$/.test(path));
  const groups: [name: string, needs: readonly Need[], files: string[]][] = [
    ...SUITES.map(({ name, needs, again }): [string, readonly Need[], string[]] => [
      name,
      needs,
      tests.filter((path) => (again ? named(again.files, path) : suiteOf(path)?.name === name)),
    ]),
    ['bench', BENCH_NEEDS, [...sources.keys()].filter((path) => path.startsWith('test/bench/'))],
  ];

  test.each(groups)('%s: stands in its needs, and each of them is called', (_name, needs, files) => {
    const reached = new Set(files.flatMap((path) => [...reachedFrom(sources, path)]));
    const its = calls.filter(({ path }) => reached.has(path));
    const provided = new Set(needs.flatMap((need) => NEEDS[need].programs ?? []));
    // What the product calls depends on what a test has it do: only the calls of tests are held against the needs.
    const unnamed = its.filter(
      ({ path, program }) => path.startsWith('test/') && !provided.has(program!) && !everywhere.has(program!),
    );
    expect(unnamed.filter(({ program }) => !OPTIONAL.has(program!)).map(shown)).toEqual([]);
    const called = new Set(its.map(({ program }) => program));
    const idle = needs.filter((need) => NEEDS[need].programs?.every((program) => !called.has(program)));
    expect(idle).toEqual([]);
  });

  test('of the product itself, the suite that runs all of it names too', () => {
    const needs = SUITES.find(({ name }) => name === 'system')!.needs;
    const provided = new Set([...everywhere, ...needs.flatMap((need) => NEEDS[need].programs ?? [])]);
    // Its units are started by a name that is no namespace's; in one, the daemons themselves are.
    const ofSystemd = new Set(['systemctl', 'systemd-networkd', 'rpc.nfsd']);
    const product = calls.filter(({ path, program }) => IS_PRODUCT.test(path) && !ofSystemd.has(program!));
    expect(product.filter(({ program }) => !provided.has(program!)).map(shown)).toEqual([]);
  });

  test('is all that the table of needs has, with the files that somebody reads', () => {
    const called = new Set(calls.map(({ program }) => program));
    const texts = [...sources].filter(([path]) => path !== 'build/machine.ts').map(([, text]) => text);
    for (const [need, { programs = [], files = [] }] of Object.entries(NEEDS)) {
      expect([need, programs.filter((program) => !called.has(program))]).toEqual([need, []]);
      const unread = files.filter((file) => !texts.some((text) => text.includes(folderOf(file))));
      expect([need, unread]).toEqual([need, []]);
    }
  });
});

const IS_PRODUCT = /^(?:handlers|runtime|shared)\//;

describe('what the product calls', () => {
  const units = filesBelow('build/appliance/systemd').flatMap((path) =>
    [...read(path).matchAll(/^Exec(?:Start|Reload)=(?!\/usr\/lib\/groundcrew\/)(\S+)/gm)].map(
      ([, program = '']): Call => ({
        path,
        line: 1,
        program: basename(program),
        said: program,
      }),
    ),
  );
  const product = [
    ...calls.filter(({ path }) => IS_PRODUCT.test(path)),
    ...units,
    ...['install.sh', 'groundcrew', 'make-certificate'].flatMap((name) => ofScript(`build/appliance/${name}`)),
  ];
  const [, needed = ''] = /^needed='([^']*)'/m.exec(read('build/appliance/install.sh')) ?? [];
  const pairs = needed.split(/\s+/).map((pair) => pair.split(':') as [program: string, debian: string]);

  test('is what its installation asks for, or what every Debian has', () => {
    const provided = new Set([...everywhere, ...pairs.map(([program]) => program)]);
    // Not on the search path, so the installation looks for the file.
    provided.add('systemd-networkd');
    for (const program of ON_DEMAND) provided.add(program);
    const asked = product.filter(({ program }) => !NFS_SERVERS.has(program!));
    expect(asked.filter(({ program }) => !provided.has(program!)).map(shown)).toEqual([]);
    const called = new Set(product.map(({ program }) => program));
    expect(pairs.filter(([program]) => !called.has(program))).toEqual([]);
  });

  test('is what the help lists', () => {
    const rows = PROGRAMS.flatMap(([debian, programs]) => programs.map((program) => `${program}:${debian}`));
    expect(sorted(rows)).toEqual(sorted(pairs.map((pair) => pair.join(':'))));
  });

  test('is part of the image that the machines suite boots', () => {
    const [, packages = ''] = /^const PACKAGES = \[([^;]*)\];/m.exec(read('test/appliance/base.ts')) ?? [];
    const image = new Set([...packages.matchAll(/'([\w-]+)'/g)].map(([, name]) => name));
    const absent = pairs.filter(([, debian]) => !image.has(debian) && !(debian in EVERY_DEBIAN));
    expect(absent).toEqual([]);
  });
});

test('what every Debian has is called by somebody, and the scripts of the tests call little more', () => {
  const scripts = ['.ci/run', ...['run.sh', 'enter.sh', 'inside.sh'].map((name) => `build/bare/${name}`)].flatMap(
    ofScript,
  );
  const all = [
    ...calls,
    ...scripts,
    ...['install.sh', 'groundcrew', 'make-certificate'].flatMap((name) => ofScript(`build/appliance/${name}`)),
  ];
  const called = new Set(all.map(({ program }) => program));
  expect([...everywhere].filter((program) => !called.has(program))).toEqual([]);
  const more = scripts.filter(({ program }) => !everywhere.has(program!)).map(({ program }) => program);
  expect(sorted(more)).toEqual(['git', 'mmdebstrap', 'node', 'npm']);
});

describe('the search', () => {
  test.each([
    ['a name', `spawnSync('ping', [])`, ['ping']],
    ['a path', `execFile('/usr/sbin/nft')`, ['nft']],
    ['a constant of another file', `spawn(PROGRAM)`, ['dig']],
    ['either of two', `spawn(on ? 'ping' : 'dig')`, ['dig', 'ping']],
    ['what somebody may say instead', `spawn(process.env.CURL ?? 'curl')`, ['curl']],
    ['what starts another one', `spawn('ip', ['netns', 'exec', name, 'env', 'A=1', 'ping'])`, ['env', 'ip', 'ping']],
    ['a script', 'spawnSync("sh", ["-c", `cd "$1" && find . | cpio -o`])', ['cpio', 'find', 'sh']],
    ['a line of the shell', `execSync('ping -c 1 a; dig b')`, ['dig', 'ping']],
    ['a function', `const run = (program) => spawn(program); run('curl');`, ['curl']],
    [
      'a function with all words',
      `const run = (...words) => spawn('ip', ['netns', 'exec', 'a', ...words]); run('dig');`,
      ['dig', 'ip'],
    ],
    ['a method of another file', `lab.inside('ping', '-c1')`, ['ping']],
    ['a host', `host.exec('nft', ['-f', '-'])`, ['nft']],
    ['a daemon', `start({ program: 'chronyd', args: [] })`, ['chronyd']],
    ['a promise', `const run = promisify(execFile); run('tar', []);`, ['tar']],
    ['a later import', `const { execFileSync } = await import('node:child_process'); execFileSync('gzip');`, ['gzip']],
    ['Node itself', `spawn(process.execPath, ['a.js'])`, []],
    ['no program', `/a/.exec('ping'); db.exec('dig');`, []],
    ['what can not be read', `spawn(names[0])`, [null]],
    ['words that can not be read', `spawn('ip', words())`, ['ip', null]],
  ])('sees %s', (_name, text, programs) => {
    const files = new Map([
      [
        'test/lab.ts',
        `${IMPORT}export const PROGRAM = 'dig'; export const lab = { inside: (program: string, ...args: string[]) => spawn('ip', ['netns', 'exec', 'n', program, ...args]) };`,
      ],
      ['test/a.ts', `${text.includes('await import') ? '' : IMPORT}import { lab, PROGRAM } from './lab.ts';\n${text}`],
    ]);
    const its = programCalls(files).filter(({ path }) => path === 'test/a.ts');
    expect(sorted(its.map(({ program }) => program))).toEqual(programs);
  });

  test.each([
    ['a\nb | c && d || e; f & g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['A=1 a; if b; then c; else d; fi; while e; do f; done', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a "$(b "c d")" $(e) `f`', ['a', 'b', 'e', 'f']],
    [`a 'b; c' "d; e" \\; f # g; h`, ['a']],
    ['f() { a; }\nf; echo b', ['a']],
    ['a << END\nb\nEND\nc', ['a', 'c']],
    ['case $a in b) c ;; *) d ;; esac', ['c', 'd']],
    ['$a b; "$c" d; ./e', ['e']],
    ['exec ip netns exec a b; env -i A=1 c', ['b', 'c', 'env', 'ip']],
  ])('reads the script %j', (script, programs) => {
    expect(sorted(shellPrograms(script))).toEqual(programs);
  });
});

const IMPORT = `import { spawn, spawnSync, execFile, execSync } from 'node:child_process';\nimport { promisify } from 'node:util';\n`;
