// The listeners of the offline depot follow the applied manifest: one listens at each address in it, and at no other; a
// change of its user takes effect with the next request. Each shows the certificate that was applied, and another one without
// a restart (listener-certificate.ts).
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { KnownAddresses } from '../shared/kernel/access/known-addresses.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../shared/services/offline-depot/files.ts';
import {
  type AppliedDepot,
  CERTIFICATE_PURPOSE,
  MANIFEST_PATH,
  readManifest,
} from '../shared/services/offline-depot/manifest.ts';
import { DepotLogins } from '../shared/services/offline-depot/serving/login.ts';
import type { ListenAddress } from './config.ts';
import { depotFiles } from './depot-files.ts';
import { DEPOT, type DepotListener, startDepotListener } from './depot-listener.ts';
import { ListenerCertificate } from './listener-certificate.ts';
import type { TlsDoors } from './tls-doors.ts';

const LOOK_MS = 500;
/** Somebody in the middle of a file gets this long when its listener goes away, milliseconds. */
const GRACE = 2_000;

interface Options {
  services: Services;
  /** Where it may share an address and port. */
  doors: TlsDoors;
  /** Instead of the applied listeners. */
  instead: ListenAddress | null;
}

export class DepotListeners {
  readonly #services: Services;
  readonly #doors: TlsDoors;
  readonly #instead: ListenAddress | null;
  readonly #serve: ReturnType<typeof depotFiles>;
  readonly #known = new KnownAddresses();
  readonly #listening = new Map<string, DepotListener>();
  /** Addresses where none could be started so far. */
  #silent = new Set<string>();
  #applied: AppliedDepot | null = null;
  readonly #certificate: ListenerCertificate;
  #shown = '';
  #told = '';
  #timer: NodeJS.Timeout | null = null;
  #seen = '';
  #turn: Promise<void> | null = null;
  #stopped = false;

  constructor({ services, doors, instead }: Options) {
    this.#services = services;
    this.#doors = doors;
    this.#instead = instead;
    const logins = new DepotLogins(services.store);
    const isMisdirected = (request: IncomingMessage) => doors.isMisdirected(DEPOT, request);
    const applied = () => this.#applied;
    this.#certificate = new ListenerCertificate({
      services,
      wanted: { purpose: CERTIFICATE_PURPOSE },
      // The applied one does not name another address.
      files: instead ? null : { certificate: CERTIFICATE_FILE, key: KEY_FILE },
      unusable: (message) => this.#tell(`The offline depot: ${message}`),
    });
    this.#serve = depotFiles({ services, logins, known: this.#known, applied, isMisdirected });
  }

  /** Where it listens now. */
  get addresses(): ListenAddress[] {
    return [...this.#listening.values()].map(({ address }) => address);
  }

  /** The first look is not waited for: a certificate may have to be made first. */
  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    this.#timer.unref();
  }

  async stop(grace: number): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#turn;
    await Promise.all([...this.#listening.values()].map((listener) => listener.stop(grace)));
    this.#listening.clear();
  }

  /** The certificate is looked after with the next look: the root may be another one. */
  renew(): void {
    this.#certificate.renew();
  }

  /** One turn at a time. */
  look(): Promise<void> {
    this.#turn ??= this.#follow()
      .catch((error: Error) => this.#tell(`The offline depot: ${error.message}`))
      .finally(() => {
        this.#turn = null;
      });
    return this.#turn;
  }

  /** Nothing is read while the file is the same and all that should listen does. */
  async #follow(): Promise<void> {
    const found = await stat(this.#services.host.resolve(MANIFEST_PATH)).catch(() => null);
    const seen = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'none';
    const due = this.#applied !== null && (this.#certificate.isDue || (await this.#certificate.isOutdated()));
    if (seen === this.#seen && this.#silent.size === 0 && !due) return;
    if (seen !== this.#seen) await this.#read();
    this.#seen = seen;
    const wanted = this.#wanted();
    // Also while it has no certificate: nobody else is to answer by its name.
    this.#doors.reserve(DEPOT, [...wanted.values()], this.#applied?.manifest.hostname ?? '');
    for (const [key, listener] of this.#listening) {
      if (wanted.has(key)) continue;
      this.#listening.delete(key);
      this.#services.logger.info('depot listener ends', { at: key });
      void listener.stop(GRACE);
    }
    if (wanted.size > 0) await this.#lookAfterCertificate();
    const said = this.#silent;
    this.#silent = new Set();
    for (const [key, listen] of wanted) if (!this.#listening.has(key)) await this.#listen(key, listen, said);
  }

  /** With a manifest that can't be read, nobody is admitted. */
  async #read(): Promise<void> {
    // Until the new one is read, that of before is served.
    this.#applied = await readManifest(this.#services.host).catch((error: unknown) => {
      this.#applied = null;
      throw error;
    });
  }

  #wanted(): Map<string, ListenAddress> {
    if (this.#applied === null) return new Map();
    const { listeners } = this.#applied.manifest;
    const all = this.#instead ? [this.#instead] : listeners.map(({ address, port }) => ({ host: address, port }));
    return new Map(all.map((listen) => [`${listen.host} ${listen.port}`, listen]));
  }

  /** One for all listeners, by name and by every address; connections that are open keep theirs. */
  async #lookAfterCertificate(): Promise<void> {
    const { hostname, listeners } = this.#applied!.manifest;
    const named = [hostname, ...listeners.map(({ address }) => address), this.#instead?.host ?? ''].filter(Boolean);
    const names = [...new Set(named)];
    const held = await this.#certificate
      .look(names)
      .catch((error: Error) => this.#tell(`The offline depot gets no certificate: ${error.message}`));
    if (!held || held.sha256 === this.#shown) return;
    const { sha256, cert, key, not_after } = held;
    this.#told = '';
    this.#shown = sha256;
    for (const listener of this.#listening.values()) listener.show({ cert, key });
    this.#services.logger.info('depot certificate', { sha256, not_after });
  }

  /** An address that is not there yet is tried again with the next look, and `said` once until it listens. */
  async #listen(key: string, listen: ListenAddress, said: ReadonlySet<string>): Promise<void> {
    const services = this.#services;
    if (this.#stopped) return;
    const { held } = this.#certificate;
    if (held === null) return void this.#silent.add(key);
    try {
      const shown = { cert: held.cert, key: held.key };
      const listener = await startDepotListener({
        ...{ services, doors: this.#doors, listen, shown, serve: this.#serve },
        known: (address) => this.#known.has(address),
      });
      this.#listening.set(key, listener);
      services.logger.info('depot listener', { at: key });
      // The port that the system chose is the one that clients are told.
      if (this.#instead) services.settings.depot_listen = listener.address;
    } catch (error) {
      this.#silent.add(key);
      if (!said.has(key))
        services.logger.warn('depot listener does not start', {
          at: key,
          failure: { message: (error as Error).message },
        });
    }
  }

  /** Once, until something else is to be told. */
  #tell(message: string): undefined {
    if (message !== this.#told) this.#services.logger.error('offline depot', { failure: { message } });
    this.#told = message;
    return undefined;
  }
}
