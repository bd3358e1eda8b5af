// The boot listeners follow the applied manifest: one listens at each address in it, and at no other. The manifest is
// read twice a second, because another process of this service may have applied it.
import { stat } from 'node:fs/promises';
import type { Services } from '../shared/kernel/operation/services.ts';
import { MANIFEST_PATH, readManifest } from '../shared/services/network-boot/manifest.ts';
import type { ListenAddress } from './config.ts';
import type { Listener } from './listener.ts';

const LOOK_MS = 500;
/** A machine in the middle of a file gets this long when its listener goes away, milliseconds. */
const GRACE = 2_000;

interface Options {
  services: Pick<Services, 'host' | 'logger'>;
  start(listen: ListenAddress): Promise<Listener>;
}

export class BootListeners {
  readonly #options: Options;
  readonly #listening = new Map<string, Listener>();
  /** Addresses where none could be started so far. */
  #silent = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #seen = '';
  #turn: Promise<void> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Where it listens now. */
  get addresses(): ListenAddress[] {
    return [...this.#listening.values()].map(({ address }) => address);
  }

  async start(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  async stop(grace: number): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#turn;
    await Promise.all([...this.#listening.values()].map((listener) => listener.stop(grace)));
    this.#listening.clear();
  }

  /** One turn at a time; nothing is read while the file is the same and all that should listen does. */
  async #look(): Promise<void> {
    if (this.#turn) return;
    this.#turn = this.#follow().catch((error: Error) =>
      this.#options.services.logger.error('boot listeners', { failure: { message: error.message } }),
    );
    await this.#turn;
    this.#turn = null;
  }

  async #follow(): Promise<void> {
    const { host } = this.#options.services;
    const found = await stat(host.resolve(MANIFEST_PATH)).catch(() => null);
    const seen = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'none';
    if (seen === this.#seen && this.#silent.size === 0) return;
    const wanted = await this.#wanted();
    this.#seen = seen;
    const said = this.#silent;
    this.#silent = new Set();
    for (const [key, listener] of this.#listening) {
      if (wanted.has(key)) continue;
      this.#listening.delete(key);
      this.#options.services.logger.info('boot listener ends', { at: key });
      void listener.stop(GRACE);
    }
    for (const [key, listen] of wanted) if (!this.#listening.has(key)) await this.#listen(key, listen, said);
  }

  /** With a manifest that can't be read, nothing is served. */
  async #wanted(): Promise<Map<string, ListenAddress>> {
    const { host, logger } = this.#options.services;
    try {
      const applied = await readManifest(host);
      const listeners = applied?.manifest.listeners ?? [];
      return new Map(listeners.map(({ address, port }) => [`${address} ${port}`, { host: address, port }]));
    } catch (error) {
      logger.error('boot listeners', { failure: { message: (error as Error).message } });
      return new Map();
    }
  }

  /** An address that is not there yet is tried again with the next look, and `said` once until it listens. */
  async #listen(key: string, listen: ListenAddress, said: ReadonlySet<string>): Promise<void> {
    const { logger } = this.#options.services;
    try {
      this.#listening.set(key, await this.#options.start(listen));
      logger.info('boot listener', { at: key });
    } catch (error) {
      this.#silent.add(key);
      if (!said.has(key))
        logger.warn('boot listener does not start', { at: key, failure: { message: (error as Error).message } });
    }
  }
}
