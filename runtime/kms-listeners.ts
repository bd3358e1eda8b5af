// The KMIP listeners follow the applied manifest, and show the certificate that was applied, another one without a restart
// (listener-certificate.ts). That of the probe, which nobody else sees, is made and renewed here.
import { replaceFile } from '../shared/ground/machine/durable-file.ts';
import { KnownAddresses } from '../shared/kernel/access/known-addresses.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { ensureServerCertificate } from '../shared/platform/certificate-authority/issue.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../shared/services/kms/files.ts';
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
import { type KmsListener, startKmsListener } from './kms-listener.ts';
import { Refusals } from './kms-refusals.ts';
import type { SessionShell } from './kms-session.ts';
import type { Listener } from './listener.ts';
import { ListenerCertificate } from './listener-certificate.ts';
import { ManifestListeners } from './manifest-listeners.ts';

/** That of the probe is looked after this often, and this often while there is none, milliseconds. */
const CERTIFICATE_MS = { good: 10 * 60_000, none: 5_000 };

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
  readonly #certificate: ListenerCertificate;
  #shown = '';
  #probe_sha256 = '';
  #due = 0;
  #told = '';

  constructor(services: Services, times: SessionShell['times'] = {}) {
    this.#services = services;
    this.#times = times;
    this.#trace = new Trace(services);
    this.#unwritten = new Trouble(services.logger, 'requests of KMIP are not written');
    this.#refusals = new Refusals(services.logger);
    this.#certificate = new ListenerCertificate({
      services,
      // vCenter pinned what it was shown.
      wanted: { purpose: SERVER_PURPOSE, keeps_key: true },
      files: { certificate: CERTIFICATE_FILE, key: KEY_FILE },
      unusable: (message) => this.#tell(message),
    });
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
    this.#certificate.renew();
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
    const { held } = this.#certificate;
    if (!held) throw new Error('it has no certificate yet');
    const listener = await startKmsListener({
      ...{ services: this.#services, trace: this.#trace, known: this.#known, listen },
      ...(this.#times && { times: this.#times }),
      shown: held,
      probe: () => {
        const sha256 = this.#probe_sha256;
        return sha256 !== '' && this.#applied ? { sha256, state: this.#applied.digest } : null;
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
    try {
      await this.#lookAfterServer(this.#applied.manifest);
      // Keys are given whether or not the probe can be written: a full disk stops no machine that starts.
      await this.#lookAfterProbe();
    } catch (error) {
      this.#tell((error as Error).message);
    }
  }

  async #lookAfterServer({ hostname, listeners }: AppliedKms['manifest']): Promise<void> {
    const names = [...new Set([hostname, ...listeners.map(({ address }) => address)].filter(Boolean))];
    const held = await this.#certificate.look(names);
    if (!held || held.sha256 === this.#shown) return;
    const { sha256, not_after } = held;
    this.#shown = sha256;
    for (const listener of this.#listening) listener.show(held);
    this.#services.logger.info('kms certificate', { sha256, not_after });
  }

  async #lookAfterProbe(): Promise<void> {
    if (performance.now() < this.#due) return;
    this.#due = performance.now() + CERTIFICATE_MS.none;
    const { sha256, cert_pem, key_pem } = await ensureServerCertificate(this.#services, {
      purpose: PROBE_PURPOSE,
      names: ['kms-probe'],
    });
    if (this.#probe_sha256 !== sha256)
      await replaceFile(this.#services.host.resolve(PROBE_PATH), cert_pem + key_pem, 0o600);
    this.#probe_sha256 = sha256;
    this.#due = performance.now() + CERTIFICATE_MS.good;
    this.#told = '';
  }

  /** Once, until something else is to be told. */
  #tell(message: string): void {
    if (message !== this.#told) this.#services.logger.error('kms certificate', { failure: { message } });
    this.#told = message;
  }
}
