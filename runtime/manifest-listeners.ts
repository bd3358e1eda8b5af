// The listeners of network boot and of the certificate portal follow an applied manifest: one listens at each address in it,
// and at no other. The manifest is read twice a second, because another process of this service may have applied it.
import { stat } from 'node:fs/promises';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { ListenAddress } from './config.ts';
import type { Listener } from './listener.ts';

const LOOK_MS = 500;
/** A machine in the middle of a file gets this long when its listener goes away, milliseconds. */
const GRACE = 2_000;

interface Options {
  services: Pick<Services, 'host' | 'logger'>;
  /** For the log: `boot listener`. */
  name: string;
  /** Path of the manifest on the appliance. */
  path: string;
  /** The addresses in it; none where it is not there. @throws Error when it is damaged */
  read(host: Services['host']): Promise<readonly { address: string; port: number }[]>;
  /** Told of each look while anything listens. */
  looked?(): Promise<void>;
  start(listen: ListenAddress): Promise<Listener>;
}

export class ManifestListeners {
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
    this.#turn = this.#follow()
      .then(() => (this.#listening.size > 0 ? this.#options.looked?.() : undefined))
      .catch((error: Error) =>
        this.#options.services.logger.error(`${this.#options.name}s`, { failure: { message: error.message } }),
      );
    await this.#turn;
    this.#turn = null;
  }

  async #follow(): Promise<void> {
    const { host } = this.#options.services;
    const found = await stat(host.resolve(this.#options.path)).catch(() => null);
    const seen = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'none';
    if (seen === this.#seen && this.#silent.size === 0) return;
    const wanted = await this.#wanted();
    this.#seen = seen;
    const said = this.#silent;
    this.#silent = new Set();
    for (const [key, listener] of this.#listening) {
      if (wanted.has(key)) continue;
      this.#listening.delete(key);
      this.#options.services.logger.info(`${this.#options.name} ends`, { at: key });
      void listener.stop(GRACE);
    }
    for (const [key, listen] of wanted) if (!this.#listening.has(key)) await this.#listen(key, listen, said);
  }

  /** With a manifest that can't be read, nothing is served. */
  async #wanted(): Promise<Map<string, ListenAddress>> {
    const { name, read, services } = this.#options;
    const { host, logger } = services;
    try {
      const listeners = await read(host);
      return new Map(listeners.map(({ address, port }) => [`${address} ${port}`, { host: address, port }]));
    } catch (error) {
      logger.error(`${name}s`, { failure: { message: (error as Error).message } });
      return new Map();
    }
  }

  /** An address that is not there yet is tried again with the next look, and `said` once until it listens. */
  async #listen(key: string, listen: ListenAddress, said: ReadonlySet<string>): Promise<void> {
    const { name, services } = this.#options;
    const { logger } = services;
    try {
      this.#listening.set(key, await this.#options.start(listen));
      logger.info(name, { at: key });
    } catch (error) {
      this.#silent.add(key);
      if (!said.has(key))
        logger.warn(`${name} does not start`, { at: key, failure: { message: (error as Error).message } });
    }
  }
}
