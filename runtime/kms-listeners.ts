// The KMIP listeners follow the applied manifest. Server and probe have certificates of our own authority, which are made and
// renewed here and used without a restart.
import { replaceFile } from '../shared/ground/machine/durable-file.ts';
import { KnownAddresses } from '../shared/kernel/access/known-addresses.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { ensureServerCertificate } from '../shared/platform/certificate-authority/issue.ts';
import {
  type AppliedKms,
  MANIFEST_PATH,
  PROBE_PATH,
  PROBE_PURPOSE,
  readManifest,
  SERVER_PURPOSE,
} from '../shared/services/kms/manifest.ts';
import { Trace } from '../shared/services/kms/serving/trace.ts';
import { Trouble } from '../shared/services/kms/serving/trouble.ts';
import type { ListenAddress } from './config.ts';
import { type KmsListener, type Shown, startKmsListener } from './kms-listener.ts';
import { Refusals } from './kms-refusals.ts';
import type { SessionShell } from './kms-session.ts';
import type { Listener } from './listener.ts';
import { ManifestListeners } from './manifest-listeners.ts';

/** Certificates are looked after this often, and this often while there is none, milliseconds. */
const CERTIFICATE_MS = { good: 10 * 60_000, none: 5_000 };

interface Certificates {
  server: Shown & { sha256: string };
  probe_sha256: string;
  /** The names that the server's has. */
  names: string;
}

export class KmsListeners {
  readonly #services: Services;
  readonly #times: SessionShell['times'];
  readonly #trace: Trace;
  readonly #unwritten: Trouble;
  readonly #known = new KnownAddresses();
  readonly #refusals: Refusals;
  readonly #followed: ManifestListeners;
  readonly #listening = new Set<KmsListener>();
  #applied: AppliedKms | null = null;
  #certificates: Certificates | null = null;
  #due = 0;
  #told = '';

  constructor(services: Services, times: SessionShell['times'] = {}) {
    this.#services = services;
    this.#times = times;
    this.#trace = new Trace(services);
    this.#unwritten = new Trouble(services.logger, 'requests of KMIP are not written');
    this.#refusals = new Refusals(services.logger);
    this.#followed = new ManifestListeners({
      services,
      name: 'kms listener',
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
    await this.#trace.flush();
  }

  /** Certificates are looked after with the next look: the root may be another one. */
  renew(): void {
    this.#due = 0;
  }

  async #read(host: Services['host']): Promise<readonly { address: string; port: number }[]> {
    this.#applied = null;
    this.#applied = await readManifest(host);
    return this.#applied?.manifest.listeners ?? [];
  }

  async #looked(): Promise<void> {
    this.#refusals.tell();
    await this.#lookAfterCertificates();
    await this.#flush();
  }

  /** A full disk is told once a minute, not with each look. */
  async #flush(): Promise<void> {
    try {
      await this.#trace.flush();
      this.#unwritten.over();
    } catch (error) {
      this.#unwritten.met(error as Error);
    }
  }

  async #listen(listen: ListenAddress): Promise<Listener> {
    await this.#lookAfterCertificates();
    const { server } = this.#certificates ?? {};
    if (!server) throw new Error('it has no certificate yet');
    const listener = await startKmsListener({
      ...{ services: this.#services, trace: this.#trace, known: this.#known, listen },
      ...(this.#times && { times: this.#times }),
      shown: server,
      probe: () => {
        const sha256 = this.#certificates?.probe_sha256;
        return sha256 && this.#applied ? { sha256, state: this.#applied.digest } : null;
      },
      refused: (address, sha256) => this.#refusals.add(address, sha256),
      met: (address) => this.#known.note(address),
    });
    this.#listening.add(listener);
    return {
      address: listener.address,
      stop: (grace) => {
        this.#listening.delete(listener);
        return listener.stop(grace);
      },
    };
  }

  /** One for all listeners, by name and by every address; connections that are open keep theirs. */
  async #lookAfterCertificates(): Promise<void> {
    if (this.#applied === null) return;
    const { hostname, listeners } = this.#applied.manifest;
    const names = [...new Set([hostname, ...listeners.map(({ address }) => address)].filter(Boolean))];
    const same = this.#certificates?.names === names.join();
    if ((same || this.#certificates === null) && performance.now() < this.#due) return;
    this.#due = performance.now() + CERTIFICATE_MS.none;
    try {
      const made = await ensureServerCertificate(this.#services, {
        purpose: SERVER_PURPOSE,
        names,
        // vCenter pinned what it was shown.
        keeps_key: true,
      });
      const other = this.#certificates?.server.sha256 !== made.sha256;
      const server = { cert: made.cert_pem, key: made.key_pem, sha256: made.sha256 };
      // Keys are given whether or not the probe can be written: a full disk stops no machine that starts.
      const was = this.#certificates?.probe_sha256 ?? '';
      this.#certificates = { server, probe_sha256: was, names: names.join() };
      if (other) for (const listener of this.#listening) listener.show(server);
      if (other) this.#services.logger.info('kms certificate', { sha256: made.sha256, not_after: made.not_after });
      const probe = await ensureServerCertificate(this.#services, { purpose: PROBE_PURPOSE, names: ['kms-probe'] });
      if (was !== probe.sha256)
        await replaceFile(this.#services.host.resolve(PROBE_PATH), probe.cert_pem + probe.key_pem, 0o600);
      this.#certificates = { server, probe_sha256: probe.sha256, names: names.join() };
      this.#due = performance.now() + CERTIFICATE_MS.good;
      this.#told = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#told) this.#services.logger.error('kms certificate', { failure: { message } });
      this.#told = message;
    }
  }
}
