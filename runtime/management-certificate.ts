// The certificate that the listeners of the management UI and of the public pages show: the applied one, and the one that the
// service was started with while none was applied or the applied one can't be used. It is taken up while others are served:
// no port closes, and open connections keep the one they have. The key comes from its file, so that no vault is needed.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Services } from '../shared/kernel/operation/services.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../shared/services/management-tls/files.ts';

const LOOK_MS = 500;
/** Certificate and key are written one after the other: looks at which they may not belong together. */
const LOOKS_BETWEEN = 4;

/** PEM: the certificate with what signed it, and its key. */
export interface Shown {
  cert: string;
  key: string;
}

/** A server that shows it: `https.Server` is one. */
interface Showing {
  setSecureContext(options: Shown & { minVersion: 'TLSv1.2' }): void;
}

/** Paths of what the service was started with. */
type Own = Shown;

export class ManagementCertificate {
  readonly #services: Pick<Services, 'host' | 'logger' | 'settings'>;
  readonly #own: Shown;
  readonly #showing = new Set<Showing>();
  #shown: Shown;
  #seen = '';
  #broken = 0;
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> | null = null;

  /** @throws Error where the files of its own can't be read */
  constructor(services: Pick<Services, 'host' | 'logger' | 'settings'>, own: Own) {
    this.#services = services;
    this.#own = { cert: readFileSync(own.cert, 'utf8'), key: readFileSync(own.key, 'utf8') };
    this.#shown = this.#own;
    this.#tell(null);
  }

  get shown(): Shown {
    return this.#shown;
  }

  /** Answers how it leaves. */
  join(server: Showing): () => void {
    this.#showing.add(server);
    return () => void this.#showing.delete(server);
  }

  /** After the first look the applied one is shown. A rehearsal has no key to show one with. */
  async start(): Promise<void> {
    if (!this.#services.host.enforces) return;
    await this.look();
    // What is wrong at the start is no state in between.
    if (this.#broken > 0) this.#refuse();
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
      .catch((error: Error) => this.#unusable(error.message))
      .finally(() => {
        this.#turn = null;
      });
    return this.#turn;
  }

  /** Nothing is read while the files are the same. */
  async #follow(): Promise<void> {
    const { host } = this.#services;
    const [cert, key] = [host.resolve(CERTIFICATE_FILE), host.resolve(KEY_FILE)];
    const seen = `${await markOf(cert)}, ${await markOf(key)}`;
    if (seen === this.#seen) {
      // What could not be read for a while is there again, as it was.
      if (this.#broken > 0) this.#tell(null, this.#shown !== this.#own);
      this.#broken = 0;
      return;
    }
    if ((await markOf(cert)) === NONE) this.#show(this.#own, false);
    else this.#show(usable({ cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }), true);
    this.#seen = seen;
    this.#broken = 0;
  }

  #show(next: Shown, applied: boolean): void {
    if (next.cert !== this.#shown.cert || next.key !== this.#shown.key) {
      this.#shown = next;
      for (const server of this.#showing) server.setSecureContext({ ...next, minVersion: 'TLSv1.2' });
      const { fingerprint256: sha256, validTo: not_after } = new X509Certificate(next.cert);
      this.#services.logger.info('management certificate', { sha256, not_after, applied });
    }
    this.#tell(null, applied);
  }

  /** What is shown stays, until it is clear that this is no change that is half written. */
  #unusable(message: string): void {
    this.#broken += 1;
    if (this.#broken !== LOOKS_BETWEEN) return;
    this.#services.logger.error('management certificate', { failure: { message } });
    const applied = this.#shown !== this.#own;
    this.#tell(`The applied certificate can’t be used: ${message} The former one is shown.`, applied);
  }

  /** At the start nothing was shown before: the service comes up with its own. */
  #refuse(): void {
    this.#broken = LOOKS_BETWEEN;
    const fault =
      'The applied certificate or its private key is missing or damaged, so the one that the service was started with is shown: apply it once more.';
    this.#services.logger.error('management certificate', { failure: { message: fault } });
    this.#tell(fault);
  }

  #tell(fault: string | null, applied = false): void {
    this.#services.settings.management_shown = { certificate: this.#shown.cert, applied, fault };
  }
}

/** A certificate that stays. `own`: paths. @throws Error where they can't be read */
export function fixedCertificate(own: Own): Pick<ManagementCertificate, 'shown' | 'join'> {
  const shown = { cert: readFileSync(own.cert, 'utf8'), key: readFileSync(own.key, 'utf8') };
  return { shown, join: () => () => undefined };
}

const NONE = 'none';

async function markOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : NONE;
}

/** @throws Error, without a word of the parser, which could quote the key */
export function usable(shown: Shown): Shown {
  try {
    if (!new X509Certificate(shown.cert).checkPrivateKey(createPrivateKey(shown.key))) throw new Error('another key');
    createSecureContext(shown);
    return shown;
  } catch {
    throw new Error('certificate and key don’t belong together, or are damaged.');
  }
}
