// The directory with many entries: bringing an empty tree to all of them beside a bare slapadd of the same, one change, and
// searches beside a slapd that has the same entries and neither password policy nor memberOf. Over slapd's socket, in one
// connection for all searches of a kind. Runs what the appliance runs: Debian's slapd, its start, and the follower's work.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { LdapDesired } from '../../shared/services/ldap/desired.ts';
import { parseEntries, writeEntries } from '../../shared/services/ldap/entries.ts';
import {
  DATA_FOLDER,
  dataFolder,
  FOLDER,
  PID_FILE,
  RUN_FOLDER,
  START,
  socketUrl,
} from '../../shared/services/ldap/files.ts';
import { followEntries } from '../../shared/services/ldap/follow/follow.ts';
import type { LeftTrees } from '../../shared/services/ldap/follow/left.ts';
import { argon2idHash, markOf } from '../../shared/services/ldap/password-hash.ts';
import { configuration } from '../../shared/services/ldap/render.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { testUsers } from '../../shared/services/ldap/transfer/test-users.ts';

const USERS = Number(process.env.LDAP_USERS ?? 10_000);
const GROUPS = Number(process.env.LDAP_GROUPS ?? 500);
const SEARCHES = 500;
const SUFFIX = 'dc=lab,dc=test';
const SLOW = { timeout: 300_000, output: 512 << 20 };

const root = mkdtempSync(join(tmpdir(), 'groundcrew-directory-bench-'));
const hash = await argon2idHash('a passphrase of the bench');
const mark = markOf(hash);
const people = testUsers('bench', USERS);
const uuid = (at: number, kind: number): string =>
  `00000000-0000-4000-8000-${String(kind * 1_000_000 + at).padStart(12, '0')}`;
const organization = {
  slug: 'lab',
  suffix: SUFFIX,
  users: people.map((person, at) => ({
    ...person,
    kind: 'person' as const,
    display_name: `${person.given_name} ${person.surname}`,
    mail: `${person.uid}@lab.test`,
    telephone: '555-0100',
    entry_uuid: uuid(at, 1),
    enabled: true,
    mark,
  })),
  groups: Array.from({ length: GROUPS }, (_, at) => ({
    name: `group-${at}`,
    entry_uuid: uuid(at, 2),
    users: people.filter((_person, user) => user % GROUPS === at).map(({ uid }) => uid),
    groups: [],
  })),
  accounts: [{ name: 'reader', entry_uuid: uuid(0, 3), mark }],
};
const desired: LdapDesired = {
  settings: { ...ldapSettings.defaults, enabled: true },
  listen: [],
  organizations: [organization],
  authority: null,
  certificate: null,
};
const db = {
  all: async (_: string, [, names]: [string, string | null]) =>
    [
      ...people.map(({ uid }) => ({ uid, account: null, mark, hash, former: '[]' })),
      { uid: null, account: 'reader', mark, hash, former: '[]' },
    ].filter(({ uid }) => names === null || names.includes(`"${uid ?? 'reader'}"`)),
} as unknown as Database;

type Side = Pick<Host, 'exec' | 'resolve'>;

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; answer: T }> {
  const began = performance.now();
  const answer = await work();
  return { seconds: (performance.now() - began) / 1000, answer };
}

async function ran(program: string, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await execProgram(program, args, SLOW);
  if (code !== 0) throw new Error(`${program}: ${code} ${stderr.slice(0, 500)}`);
  return stdout;
}

/** A slapd of its own folder; `plain`: without overlays. */
function side(name: string, plain: boolean): Side {
  const folder = join(root, name);
  const resolve = (path: string) => join(folder, path);
  for (const path of [FOLDER, RUN_FOLDER, DATA_FOLDER, dataFolder(organization)])
    mkdirSync(resolve(path), { recursive: true });
  const whole = configuration(desired, resolve)
    .split('\n')
    .filter((line) => !line.startsWith('olcTLS'))
    .join('\n');
  const text = plain
    ? whole
        .split('\n\n')
        .filter((entry) => !entry.includes('olcOverlay='))
        .join('\n\n')
    : whole;
  writeFileSync(resolve(`${FOLDER}/slapd.ldif`), text);
  writeFileSync(resolve(`${FOLDER}/listen`), socketUrl({ resolve }));
  return { resolve, exec: (program, args, options) => execProgram(program, [...args], options) };
}

const pids: number[] = [];
async function start({ resolve }: Side): Promise<void> {
  await ran('sh', ['-c', START, 'slapd-start', ...[FOLDER, RUN_FOLDER, DATA_FOLDER].map(resolve)]);
  pids.push(Number(readFileSync(resolve(PID_FILE), 'utf8')));
}

const digits = (seconds: number): string => seconds.toFixed(2);
const left: LeftTrees = new Map();
const bring = (host: Side, text: string) =>
  followEntries({ db, host, left, before: new Map() }, parseEntries(text), true);

async function searches(
  host: Side,
  filter: string,
  names: readonly string[],
  ...attributes: string[]
): Promise<number> {
  const file = join(root, 'names');
  writeFileSync(file, `${names.join('\n')}\n`);
  const args = ['-Y', 'EXTERNAL', '-Q', '-LLL', '-H', socketUrl(host), '-b', SUFFIX, '-f', file, filter, ...attributes];
  return (await timed(() => ran('ldapsearch', args))).seconds;
}

try {
  const [served, plain] = [side('served', false), side('plain', true)];
  await start(served);
  const all = writeEntries(desired);
  const filled = await timed(() => bring(served, all));
  if (filled.answer.refused.length + filled.answer.faults.length > 0) throw new Error(filled.answer.faults.join());
  console.log(`${USERS} users and ${GROUPS} groups into an empty tree: ${digits(filled.seconds)} s`);

  const ldif = join(root, 'all.ldif');
  await ran('slapcat', ['-F', served.resolve(`${RUN_FOLDER}/config`), '-b', SUFFIX, '-l', ldif]);
  const config = join(root, 'config');
  mkdirSync(config);
  await ran('slapadd', ['-n', '0', '-F', config, '-l', plain.resolve(`${FOLDER}/slapd.ldif`)]);
  const bare = await timed(() => ran('slapadd', ['-q', '-F', config, '-b', SUFFIX, '-l', ldif]));
  console.log(`bare slapadd -q of the same: ${digits(bare.seconds)} s, ratio ${digits(filled.seconds / bare.seconds)}`);

  const text = await timed(async () => parseEntries(writeEntries(desired)));
  console.log(`the file of entries written and read: ${digits(text.seconds)} s`);
  const changed = all.replace('"mail": "', '"mail": "x');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const one = await timed(() => bring(served, changed));
  delay.disable();
  const held = digits(delay.max / 1e9);
  console.log(
    `one change (${one.answer.changed} entries written): ${digits(one.seconds)} s, the event loop held ${held} s at most`,
  );
  const none = await timed(() => bring(served, changed));
  console.log(`none, so that the whole tree is read (${none.answer.changed} written): ${digits(none.seconds)} s`);
  const group = changed.replace('"name": "group-0"', '"name": "renamed"');
  const many = await timed(() => bring(served, group));
  console.log(`another name of a group (${many.answer.changed} entries written): ${digits(many.seconds)} s`);

  await start(plain);
  const some = people.filter((_, at) => at % Math.ceil(USERS / SEARCHES) === 0).map(({ uid }) => uid);
  for (const [what, filter, ...attributes] of [
    ['uid', '(uid=%s)'],
    ['uid with memberOf', '(uid=%s)', '*', 'memberOf'],
    ['groups of a user', `(uniqueMember=uid=%s,ou=people,${SUFFIX})`, 'cn'],
  ] as const) {
    const ours = await searches(served, filter, some, ...attributes);
    const theirs = await searches(plain, filter, some, ...attributes);
    console.log(
      `${some.length} searches by ${what}: ${digits(ours)} s, plain ${digits(theirs)} s, ratio ${digits(ours / theirs)}`,
    );
  }
  // One after the other: they share the file of names.
  const everyone = [];
  for (const each of [served, plain]) everyone.push(await searches(each, '(objectClass=%s)', ['inetOrgPerson']));
  console.log(`all users at once: ${everyone.map(digits).join(' s, plain ')} s`);
} finally {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
}
