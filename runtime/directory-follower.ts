// Keeps slapd's trees at the applied entries: whenever their file is written, and when slapd was started. The service does
// it by itself, over slapd's socket and without root, and holds nothing between two looks: what was interrupted is begun anew.
import { stat } from 'node:fs/promises';
import type { Services } from '../shared/kernel/operation/services.ts';
import { readEntries } from '../shared/services/ldap/entries.ts';
import { ENTRIES_FILE, PID_FILE } from '../shared/services/ldap/files.ts';
import { followEntries } from '../shared/services/ldap/follow/follow.ts';

const LOOK_MS = 500;

export class DirectoryFollower {
  readonly #services: Services;
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> | null = null;
  /** The file of entries and the run of slapd that were followed. */
  #entries = 'none';
  #run = 'none';
  #told = '';

  constructor(services: Services) {
    this.#services = services;
  }

  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#turn;
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
    const { host, store, logger } = this.#services;
    const [entries, run] = await Promise.all([ENTRIES_FILE, PID_FILE].map((path) => seen(host.resolve(path))));
    if (entries === this.#entries && run === this.#run) return;
    const applied = entries === 'none' || run === 'none' ? null : await readEntries(host);
    // A service that starts finds the trees as it left them, unless the file was written since.
    const written = this.#entries !== 'none' && entries !== this.#entries;
    if (applied !== null) {
      const changed = await followEntries({ db: store, host }, applied, written);
      if (changed > 0) logger.info('directory entries', { changed, digest: applied.digest });
    }
    this.#entries = entries!;
    this.#run = run!;
    this.#told = '';
  }

  /** Once, until something else is to be told. slapd may be about to start, so nothing is lost by the next look. */
  #tell(message: string): void {
    if (message !== this.#told) this.#services.logger.warn('directory entries', { failure: { message } });
    this.#told = message;
  }
}

async function seen(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'none';
}
