// Debian's slapd alone, with no appliance around it, followed over its socket: started as the appliance starts it, killed, and
// begun again.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { LdapDesired } from '../../shared/services/ldap/desired.ts';
import type { DesiredOrganization } from '../../shared/services/ldap/desired-organizations.ts';
import { parseEntries, writeEntries } from '../../shared/services/ldap/entries.ts';
import {
  DATA_FOLDER,
  dataFolder,
  FOLDER,
  PID_FILE,
  RUN_FOLDER,
  SOCKET,
  START,
  socketUrl,
} from '../../shared/services/ldap/files.ts';
import { followEntries } from '../../shared/services/ldap/follow/follow.ts';
import type { Entry } from '../../shared/services/ldap/follow/ldif.ts';
import type { LeftTrees } from '../../shared/services/ldap/follow/left.ts';
import { searchDirectory } from '../../shared/services/ldap/follow/socket.ts';
import { argon2idHash, markOf } from '../../shared/services/ldap/password-hash.ts';
import { configuration } from '../../shared/services/ldap/render.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { until } from '../setup/until.ts';

export const SUFFIX = 'dc=lab,dc=test';
export type Side = Pick<Host, 'exec' | 'resolve'>;
type Exec = Host['exec'];

const bare: Exec = (program, args, options) => execProgram(program, [...args], options);

const uuid0 = '00000000-0000-4000-8000-';
const uuid = (kind: number, at: number): string => `${uuid0}${String(kind * 1_000_000 + at).padStart(12, '0')}`;

export class Slapd {
  readonly folder = mkdtempSync(join(tmpdir(), 'gct-slapd-'));
  static #hash: string | undefined;
  readonly hash: string;
  /** Programs that were run over the socket: what they were asked. */
  readonly ran: string[] = [];
  /** Wraps each program's run. */
  around: (exec: Exec) => Exec = (exec) => exec;
  left: LeftTrees = new Map();

  private constructor(hash: string) {
    this.hash = hash;
  }

  static async open(): Promise<Slapd> {
    Slapd.#hash ??= await argon2idHash('tundra-fiddle-gravel-08');
    const slapd = new Slapd(Slapd.#hash);
    await slapd.start();
    return slapd;
  }

  readonly host: Side = {
    resolve: (path) => join(this.folder, path),
    exec: (program, args, options) => {
      this.ran.push(`${program} ${args.join(' ')}`);
      return this.around(bare)(program, args, options);
    },
  };

  /** So many users in as many groups as there are tens of them, one group in the next. */
  organization(users: number): DesiredOrganization {
    const uids = Array.from({ length: users }, (_, at) => `user-${at}`);
    return {
      slug: 'lab',
      suffix: SUFFIX,
      users: uids.map((uid, at) => ({
        uid,
        kind: 'person' as const,
        given_name: 'Ada',
        surname: uid,
        display_name: `Ada ${uid}`,
        mail: `${uid}@lab.test`,
        telephone: '555-0100',
        entry_uuid: uuid(1, at),
        enabled: true,
        mark: markOf(this.hash),
      })),
      groups: Array.from({ length: Math.ceil(users / 10) }, (_, at) => ({
        name: `group-${at}`,
        entry_uuid: uuid(2, at),
        users: uids.filter((_uid, user) => Math.floor(user / 10) === at),
        groups: at === 0 ? [] : [`group-${at - 1}`],
      })),
      accounts: [{ name: 'reader', entry_uuid: uuid(3, 0), mark: markOf(this.hash) }],
    };
  }

  text(organization: DesiredOrganization): string {
    return writeEntries(this.#desired([organization]));
  }

  /** What a tree holds that was filled with it. */
  static async saidOf(of: (slapd: Slapd) => string): Promise<string[]> {
    const other = await Slapd.open();
    try {
      await other.follow(of(other));
      return said(await other.tree());
    } finally {
      await other.close();
    }
  }

  #desired(organizations: DesiredOrganization[]): LdapDesired {
    const settings = { ...ldapSettings.defaults, enabled: true };
    return { settings, listen: [], organizations, authority: null, certificate: null };
  }

  /** slapd goes to the background before it listens: who asks at once is refused. */
  async start(): Promise<void> {
    await this.begin(START);
    await until(() => this.#listens());
  }

  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.host.resolve(SOCKET), () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  }

  /** @throws Error where the script fails, as one that is cut off does */
  async begin(script: string): Promise<void> {
    const { resolve } = this.host;
    const organization = this.organization(0);
    for (const path of [FOLDER, RUN_FOLDER, DATA_FOLDER, dataFolder(organization)])
      mkdirSync(resolve(path), { recursive: true });
    const config = configuration(this.#desired([organization]), resolve).replace(/^olcTLS.*\n/gm, '');
    writeFileSync(resolve(`${FOLDER}/slapd.ldif`), config);
    writeFileSync(resolve(`${FOLDER}/listen`), socketUrl({ resolve }));
    const folders = [FOLDER, RUN_FOLDER, DATA_FOLDER].map(resolve);
    const { code, stderr } = await execProgram('sh', ['-c', script, 'slapd-start', ...folders]);
    if (code !== 0) throw new Error(stderr);
  }

  /** As kill -9 does, and as a power cut would: nothing is finished. */
  async kill(): Promise<void> {
    const pid = Number(readFileSync(this.host.resolve(PID_FILE), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await until(() => {
      try {
        // A zombie until its parent has looked: it holds nothing any more.
        return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      } catch {
        return true;
      }
    });
    rmSync(this.host.resolve(PID_FILE), { force: true });
  }

  loseData(): void {
    rmSync(this.host.resolve(DATA_FOLDER), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Every account has the same password. */
  follow(text: string, all = true) {
    const accounts = parseEntries(text).entries.organizations[0]!.users.map(({ uid }) => uid);
    const kept = { mark: markOf(this.hash), hash: this.hash, former: '[]' };
    const db = {
      all: async () => [
        ...accounts.map((uid) => ({ uid, account: null, ...kept })),
        { uid: null, account: 'reader', ...kept },
      ],
    } as unknown as Database;
    return followEntries({ db, host: this.host, left: this.left, before: new Map() }, parseEntries(text), all);
  }

  /** What a service that begins anew knows: nothing. */
  forget(): void {
    this.left = new Map();
  }

  async tree(): Promise<Entry[]> {
    return searchDirectory({ ...this.host, exec: bare }, SUFFIX, ['*', 'entryUUID']);
  }

  /** By hand, while slapd does not run: written anew with other values, and with the times that the entries had. */
  async offline(change: (ldif: string) => string): Promise<void> {
    const how = ['-F', this.host.resolve(`${RUN_FOLDER}/config`), '-b', SUFFIX];
    const { stdout } = await execProgram('slapcat', [...how, '-o', 'ldif-wrap=no'], { output: 16 << 20 });
    const folder = this.host.resolve(dataFolder({ slug: 'lab', suffix: SUFFIX }));
    for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(folder, name), { force: true });
    const { code, stderr } = await execProgram('slapadd', ['-q', ...how], { input: change(stdout) });
    if (code !== 0) throw new Error(stderr);
  }

  /** By hand, as root at the machine would. */
  async byHand(ldif: string, ...more: string[]): Promise<void> {
    const args = ['-Y', 'EXTERNAL', '-Q', ...more, '-H', socketUrl(this.host)];
    const { code, stderr } = await execProgram('ldapmodify', args, { input: ldif });
    if (code !== 0) throw new Error(stderr);
  }
}

/** A line an entry, without what is another each time: the hash of the digest, and what slapd numbers itself. */
export const said = (tree: readonly Entry[]): string[] =>
  tree
    .map(({ dn, attributes }) => {
      const { userPassword, entryUUID = [], ...rest } = attributes;
      const own = entryUUID.filter((uuid) => uuid.startsWith(uuid0));
      const values = Object.entries({ ...rest, own }).map(([name, all]) => `${name}=${[...all].sort().join()}`);
      return `${dn}: ${values.sort().join(' ')} ${userPassword ? 'password' : ''}`;
    })
    .sort();
