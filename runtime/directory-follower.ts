// Keeps slapd's trees at the applied entries: whenever their file is written, and when slapd was started. The service does
// it by itself, over slapd's socket and without root. What it holds between two looks only makes it faster: what was
// interrupted is begun anew.
import { stat } from 'node:fs/promises';
import { instant } from '../shared/ground/clock.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { lookForClients } from '../shared/services/ldap/clients/seen.ts';
import { type AppliedEntries, readEntries } from '../shared/services/ldap/entries.ts';
import { ENTRIES_FILE, PID_FILE } from '../shared/services/ldap/files.ts';
import { followEntries, type Replaced } from '../shared/services/ldap/follow/follow.ts';
import { leftTrees } from '../shared/services/ldap/follow/left.ts';
import { whileFollowing } from '../shared/services/ldap/follow/now.ts';
import { settlePasswords } from '../shared/services/ldap/follow/settle.ts';
import { noteStanding } from '../shared/services/ldap/follow/standing.ts';
import { endOidcSessionsOf } from '../shared/services/oidc/sessions/sessions.ts';

/** Milliseconds between two looks at the files, of which each asks for the times of two. Who applies waits for the next one. */
const LOOK_MS = 100;
/** Milliseconds between two looks at who is connected, and at passwords that slapd has to be brought yet. */
const CLIENTS_MS = 10_000;
/** Milliseconds between two tries of what did not succeed: at first, and at most. */
const AGAIN_MS = 500;
const AGAIN_MOST_MS = 60_000;

export class DirectoryFollower {
  readonly #services: Services;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | null = null;
  #clients: NodeJS.Timeout | null = null;
  #turn: Promise<void> | null = null;
  #ended: () => void = () => undefined;
  /** The file of entries and the run of slapd that were followed. */
  #entries = 'none';
  #run = 'none';
  /** What failed last, when it is tried again, and after which pause then. */
  #failed = { what: '', next: 0, pause: AGAIN_MS };
  #replaced: Replaced = new Map();
  #told = '';

  /** `now`: milliseconds of a clock that nobody sets: what failed would wait until the clock is there again. */
  constructor(services: Services, now: () => number = () => performance.now()) {
    this.#services = services;
    this.#now = now;
  }

  start(): void {
    this.#clients = setInterval(() => void this.lookForClients().then(() => this.settle()), CLIENTS_MS);
    this.#clients.unref();
    this.#ended = whileFollowing(this.#services.host, () => this.look());
    void this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#ended();
    if (this.#timer) clearInterval(this.#timer);
    if (this.#clients) clearInterval(this.#clients);
    await this.#turn;
  }

  /** Only while what runs was followed; a look that fails is nobody's loss. */
  async lookForClients(): Promise<void> {
    const { host, store, clock } = this.#services;
    if (this.#run !== 'none') await lookForClients(host, store, instant(clock.now())).catch(() => undefined);
  }

  /** Own passwords that slapd did not get when they were saved. What does not succeed is tried again with the next look. */
  async settle(): Promise<void> {
    const { host, store, clock } = this.#services;
    if (this.#run === 'none') return;
    const applied = await readEntries(host).catch(() => null);
    if (applied !== null)
      await settlePasswords({ store, host, clock }, applied, null, endOidcSessionsOf).catch(() => undefined);
  }

  /** One turn at a time. */
  look(): Promise<void> {
    this.#turn ??= this.#follow()
      .catch((error: Error) => this.#tell(error.message))
      .finally(() => {
        this.#turn = null;
      });
    return this.#turn;
  }

  async #follow(): Promise<void> {
    const { host } = this.#services;
    const [entries = 'none', run = 'none'] = await Promise.all(
      [ENTRIES_FILE, PID_FILE].map((path) => seen(host.resolve(path))),
    );
    if (entries === this.#entries && run === this.#run) return;
    const what = `${entries} ${run}`;
    if (this.#waits(what)) return;
    const applied = entries === 'none' || run === 'none' ? null : await readEntries(host);
    // A service that starts finds the trees as it left them, unless the file was written since.
    const written = this.#entries !== 'none' && entries !== this.#entries;
    if (applied !== null) await this.#bring(applied, written);
    this.#entries = entries;
    this.#run = run;
    this.#failed = { what: '', next: 0, pause: AGAIN_MS };
    this.#told = '';
  }

  /** Whether the same failed a short while ago: each time the pause is twice as long. */
  #waits(what: string): boolean {
    const now = this.#now();
    const { what: last, next, pause } = this.#failed;
    if (what === last && now < next) return true;
    const wait = what === last ? pause : AGAIN_MS;
    this.#failed = { what, next: now + wait, pause: Math.min(wait * 2, AGAIN_MOST_MS) };
    return false;
  }

  /** @throws Error that names what was refused, when something was */
  async #bring(applied: AppliedEntries, written: boolean): Promise<void> {
    const { host, store, logger, clock } = this.#services;
    const following = { db: store, host, left: leftTrees(host), before: this.#replaced };
    const { changed, refused, faults, replaced } = await followEntries(following, applied, written);
    // Tried again, less is replaced: what an earlier try has taken away stays known until the next apply.
    this.#replaced = written && this.#told === '' ? replaced : new Map([...this.#replaced, ...replaced]);
    noteStanding(store, { digest: applied.digest, refused, faults });
    if (changed > 0) logger.info('directory entries', { changed, digest: applied.digest });
    const said = [...refused.map(({ dn, detail }) => `slapd refuses ${dn}: ${detail}`), ...faults];
    if (said.length > 0) throw new Error(said.join('; '));
    await settlePasswords({ store, host, clock }, applied, null, endOidcSessionsOf);
  }

  /** Once, until something else is to be told. slapd may be about to start, so nothing is lost by the next look. */
  #tell(message: string): void {
    if (message !== this.#told) this.#services.logger.warn('directory entries', { failure: { message } });
    this.#told = message;
  }
}

async function seen(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  // The time of the last change of the inode: who puts the time of the content back can't put that back.
  return found ? `${found.ino} ${found.mtimeMs} ${found.ctimeMs} ${found.size}` : 'none';
}
