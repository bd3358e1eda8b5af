// An appliance's certificate authority without the appliance: a data folder, the saved settings, a clock to turn, and what
// OpenSSL says of a certificate.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observe } from '../../shared/ground/store/connection.ts';
import { createRoot, prepareRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import { openSide, type Side } from './vault-scene.ts';

export type AuthoritySettings = typeof certificateAuthoritySettings.defaults;

export class AuthorityScene {
  readonly folder: string;
  readonly side: Side;
  now = new Date('2026-07-01T12:00:00.250Z');

  private constructor(folder: string, side: Side) {
    this.folder = folder;
    this.side = { ...side, clock: { now: () => this.now } };
  }

  static async open(folder: string, observe?: Observe): Promise<AuthorityScene> {
    return new AuthorityScene(folder, await openSide(folder, observe));
  }

  /** Another program on the same folder, with the same clock. */
  async another(): Promise<Side> {
    return { ...(await openSide(this.folder)), clock: this.side.clock };
  }

  settings(patch: Partial<AuthoritySettings>): Promise<unknown> {
    return this.side.store.write((tx) => saveSettings(tx, this.side, certificateAuthoritySettings, patch, null));
  }

  /** Custody on, and a root as the settings say. */
  async root(patch: Partial<AuthoritySettings> = {}) {
    await this.settings({ enabled: true, key_algorithm: 'ecdsa-p256', ...patch });
    const prepared = await prepareRoot(this.side.store, this.side);
    return this.side.store.write((tx) => createRoot(tx, this.side, 'ada', prepared));
  }

  later(days: number): void {
    this.now = new Date(this.now.getTime() + days * 86_400_000);
  }

  run(sql: string, ...values: string[]): Promise<number> {
    return this.side.store.write((tx) => tx.run(sql, values));
  }

  /** `openssl verify` at the scene's time, strictly; answers what it prints. */
  verify(root: string, chain: string): string {
    const [leaf] = chain.split(/(?<=-----END CERTIFICATE-----\n)/);
    const ca = this.#file('root.pem', root);
    const at = String(Math.floor(this.now.getTime() / 1000));
    return this.#openssl(
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-attime',
      at,
      '-CAfile',
      ca,
      this.#file('leaf.pem', leaf!),
    );
  }

  text(pem: string): string {
    return this.#openssl('x509', '-noout', '-text', '-in', this.#file('shown.pem', pem));
  }

  #file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  #openssl(...args: string[]): string {
    return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
}
