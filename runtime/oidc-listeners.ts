// The listeners of the OpenID Connect provider follow the applied manifest, and show the certificate that was applied
// (listener-certificate.ts). Its signing keys are made when there are none, and followed when they are rotated, both without a restart.
import type { Services } from '../shared/kernel/operation/services.ts';
import { groupCommitSettled } from '../shared/services/oidc/artifacts/group-commit.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../shared/services/oidc/files.ts';
import { ensureKeys, newKeyPem, signingKeys } from '../shared/services/oidc/keys/signing-keys.ts';
import {
  type AppliedOidc,
  CERTIFICATE_PURPOSE,
  MANIFEST_PATH,
  readManifest,
} from '../shared/services/oidc/manifest.ts';
import type { Assets } from './assets.ts';
import type { ListenAddress } from './config.ts';
import type { Listener } from './listener.ts';
import { ListenerCertificate } from './listener-certificate.ts';
import { ManifestListeners } from './manifest-listeners.ts';
import { OIDC, type OidcListener, startOidcListener } from './oidc-listener.ts';
import { OidcPlane } from './oidc-plane.ts';
import type { TlsDoors } from './tls-doors.ts';

interface Options {
  services: Services;
  assets: Assets;
  /** Where it may share an address and port. */
  doors: TlsDoors;
  /** Instead of the applied listeners. */
  instead?: ListenAddress | null;
}

export class OidcListeners {
  readonly #options: Options;
  readonly #plane: OidcPlane;
  readonly #followed: ManifestListeners;
  readonly #listening = new Set<OidcListener>();
  #applied: AppliedOidc | null = null;
  readonly #certificate: ListenerCertificate;
  #shown = '';
  #told = '';

  constructor(options: Options) {
    this.#options = options;
    const { services, assets, doors, instead } = options;
    this.#plane = new OidcPlane({ services, assets, isMisdirected: (request) => doors.isMisdirected(OIDC, request) });
    this.#certificate = new ListenerCertificate({
      services,
      wanted: { purpose: CERTIFICATE_PURPOSE },
      // The applied one does not name another address.
      files: instead ? null : { certificate: CERTIFICATE_FILE, key: KEY_FILE },
      unusable: (message) => this.#tell({ message }),
    });
    this.#followed = new ManifestListeners({
      services,
      name: 'oidc listener',
      path: MANIFEST_PATH,
      read: (host) => this.#read(host),
      looked: () => this.#looked(),
      start: (listen) => this.#listen(listen),
    });
  }

  /** Where it listens now. */
  get addresses(): ListenAddress[] {
    return this.#followed.addresses;
  }

  start(): Promise<void> {
    return this.#followed.start();
  }

  async stop(grace: number): Promise<void> {
    await this.#followed.stop(grace);
    await groupCommitSettled(this.#options.services.store);
  }

  async #read(host: Services['host']): Promise<readonly { address: string; port: number }[]> {
    const { doors, instead } = this.#options;
    // With a manifest that can't be read, nobody is answered.
    this.#applied = null;
    this.#applied = await readManifest(host).catch(async (error: unknown) => {
      await this.#plane.follow(null);
      throw error;
    });
    const applied = this.#applied?.manifest.listeners ?? [];
    const wanted = instead && applied.length > 0 ? [{ address: instead.host, port: instead.port }] : applied;
    const places = wanted.map(({ address, port }) => ({ host: address, port }));
    // Also while it has no certificate: nobody else is to answer by its name.
    doors.reserve(OIDC, places, this.#applied?.manifest.hostname ?? '');
    if (this.#applied === null) await this.#plane.follow(null);
    else if (this.#listening.size > 0) await this.#looked();
    return wanted;
  }

  async #looked(): Promise<void> {
    await this.#lookAfterCertificate();
    await this.#follow();
  }

  /** What is answered, by what is applied and which keys there are now. */
  async #follow(): Promise<void> {
    try {
      await this.#plane.follow(this.#applied);
      this.#told = '';
    } catch (error) {
      this.#tell(error as Error);
    }
  }

  async #listen(listen: ListenAddress): Promise<Listener> {
    await this.#lookAfterCertificate();
    const { held } = this.#certificate;
    if (!held) throw new Error('it has no certificate yet');
    await this.#lookAfterKeys();
    await this.#plane.follow(this.#applied);
    const { services, doors } = this.#options;
    const { cert, key } = held;
    const { serve } = this.#plane;
    const listener = await startOidcListener({ services, doors, listen, shown: { cert, key }, serve });
    this.#listening.add(listener);
    return {
      address: listener.address,
      stop: (grace) => {
        this.#listening.delete(listener);
        return listener.stop(grace);
      },
    };
  }

  async #lookAfterKeys(): Promise<void> {
    const { services } = this.#options;
    const { store } = services;
    const states = new Set((await signingKeys(store)).map(({ state }) => state));
    if (states.has('current') && states.has('next')) return;
    const pems = [await newKeyPem(), await newKeyPem()] as const;
    await store.write((tx) => ensureKeys(tx, services, pems));
  }

  /** One for all listeners, by name and by every address; connections that are open keep theirs. */
  async #lookAfterCertificate(): Promise<void> {
    if (this.#applied === null) return;
    const { services, instead } = this.#options;
    const { hostname, listeners } = this.#applied.manifest;
    const named = [hostname, ...listeners.map(({ address }) => address), instead?.host ?? ''].filter(Boolean);
    try {
      const held = await this.#certificate.look([...new Set(named)]);
      if (!held || held.sha256 === this.#shown) return;
      const { sha256, cert, key, not_after } = held;
      this.#shown = sha256;
      for (const listener of this.#listening) listener.show({ cert, key });
      services.logger.info('oidc certificate', { sha256, not_after });
    } catch (error) {
      this.#tell(error as Error);
    }
  }

  /** Once, until something else is to be told. */
  #tell({ message }: Pick<Error, 'message'>): void {
    if (message !== this.#told) this.#options.services.logger.error('OpenID Connect', { failure: { message } });
    this.#told = message;
  }
}
