// The certificate that a listener of this service shows. On a host that follows plans it is the one that the last apply brought:
// another one is shown when a plan brings it, and not before. Its key comes from its file, so that no vault is needed. Where no
// plan brought one (a rehearsal, an address of its own, the state of a release that did not), it is made and renewed here.
import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Services } from '../shared/kernel/operation/services.ts';
import {
  ensureServerCertificate,
  type ServerCertificateWanted,
} from '../shared/platform/certificate-authority/issue.ts';
import { usable } from './management-certificate.ts';

/** One that is made here is looked after this often, and this often while there is none, milliseconds. */
const CERTIFICATE_MS = { good: 10 * 60_000, none: 5_000 };

/** Certificate and key are written one after the other: looks at which they may not belong together. */
const LOOKS_BETWEEN = 4;

/** Certificate with its chain, and key, as PEM. */
export interface Held {
  cert: string;
  key: string;
  sha256: string;
  /** RFC 3339. */
  not_after: string;
}

interface Options {
  services: Services;
  wanted: Omit<ServerCertificateWanted, 'names' | 'taken_up'>;
  /** Where an apply puts it, as paths on the appliance; null: none does. */
  files: { certificate: string; key: string } | null;
  /** Told where an applied one can't be used. */
  unusable(message: string): void;
}

export class ListenerCertificate {
  readonly #options: Options;
  #held: Held | null = null;
  /** Names of one that was made here; empty for an applied one. */
  #names = '';
  /** What the files looked like when they were read. */
  #seen = '';
  #due = 0;
  #broken = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get held(): Held | null {
    return this.#held;
  }

  /** One that is made here is looked after with the next look. */
  renew(): void {
    this.#due = 0;
  }

  /** Whether another one may be there: the files are others than those that were read. Two looks at the disk. */
  async isOutdated(): Promise<boolean> {
    return (await this.#marks()) !== this.#seen;
  }

  /** Whether one that is made here is to be looked after. */
  get isDue(): boolean {
    return this.#seen === '' && performance.now() >= this.#due;
  }

  /** The one to show; null while the next attempt is waited for. @throws Problem, where one has to be made and can't be */
  async look(names: readonly string[]): Promise<Held | null> {
    const marks = await this.#marks();
    if (marks !== '') {
      if (marks === this.#seen) return this.#held;
      const applied = await this.#applied();
      if (applied) {
        [this.#held, this.#names, this.#seen, this.#broken] = [applied, '', marks, 0];
        return applied;
      }
      // Nothing of the service ends for it.
      if (this.#held) return this.#held;
    }
    this.#seen = '';
    return this.#made(names);
  }

  async #made(names: readonly string[]): Promise<Held | null> {
    const same = this.#names === names.join();
    if ((same || this.#held === null) && performance.now() < this.#due) return this.#held;
    const { services, wanted } = this.#options;
    this.#due = performance.now() + CERTIFICATE_MS.none;
    const made = await ensureServerCertificate(services, { ...wanted, names: [...names], taken_up: true });
    this.#due = performance.now() + CERTIFICATE_MS.good;
    this.#names = names.join();
    const { sha256, cert_pem: cert, key_pem: key, not_after } = made;
    this.#held = { cert, key, sha256, not_after };
    return this.#held;
  }

  /** Empty where no plan brought one. */
  async #marks(): Promise<string> {
    const { files, services } = this.#options;
    if (!files || !services.host.enforces) return '';
    const [certificate, key] = await Promise.all(
      [files.certificate, files.key].map((path) => stat(services.host.resolve(path)).catch(() => null)),
    );
    if (!certificate) return '';
    return [certificate, key]
      .map((found) => (found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'none'))
      .join(', ');
  }

  /** Null for one that can't be used, which is told. */
  async #applied(): Promise<Held | null> {
    const { files, services } = this.#options;
    try {
      const [cert, key] = await Promise.all(
        [files!.certificate, files!.key].map((path) => readFile(services.host.resolve(path), 'utf8')),
      );
      usable({ cert: cert!, key: key! });
      const { fingerprint256: sha256, validToDate } = new X509Certificate(cert!);
      return { cert: cert!, key: key!, sha256, not_after: validToDate.toISOString() };
    } catch (error) {
      this.#unusable((error as Error).message);
      return null;
    }
  }

  /** It may be half written for a few looks, but not where nothing is shown yet. */
  #unusable(message: string): void {
    this.#broken += 1;
    if (this.#held && this.#broken !== LOOKS_BETWEEN) return;
    const shown = this.#held ? 'the former one is shown' : 'one that the certificate authority has is shown';
    this.#options.unusable(
      `The applied certificate can’t be used: ${message} Until it is applied once more, ${shown}.`,
    );
  }
}
