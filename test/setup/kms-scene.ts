// A KMIP server in a house: its listeners follow a manifest at a port of 127.0.0.1, a provider is trusted through a pair that
// the API makes, and requests go over TLS as a client's do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { KmsListeners } from '../../runtime/kms-listeners.ts';
import type { SessionShell } from '../../runtime/kms-session.ts';
import { MANIFEST_PATH, writeManifest } from '../../shared/services/kms/manifest.ts';
import { type Credentials, House, type HouseOptions, PASSWORD } from './house.ts';
import { until } from './until.ts';

export interface Pair {
  client_id: string;
  certificate: string;
  private_key: string;
}

export class KmsScene {
  readonly house: House;
  readonly admin: Credentials;
  readonly listeners: KmsListeners;
  readonly folder = mkdtempSync(join(tmpdir(), 'groundcrew-kms-'));
  root_pem = '';

  private constructor(house: House, admin: Credentials, listeners: KmsListeners) {
    this.house = house;
    this.admin = admin;
    this.listeners = listeners;
  }

  /** With a root, and listening. */
  static async open(options: HouseOptions = {}, times: SessionShell['times'] = {}): Promise<KmsScene> {
    const house = await House.open(options);
    const admin = await house.actor('admin');
    const scene = new KmsScene(house, admin, new KmsListeners(house.services, times));
    if (options.data === undefined) {
      await scene.api('PATCH', '/api/v1/certificate-authority/settings', {
        enabled: true,
        key_algorithm: 'ecdsa-p256',
      });
      await scene.api('POST', '/api/v1/certificate-authority/root');
    }
    scene.root_pem = (await house.send('GET', '/api/v1/certificate-authority/root', admin)).body.pem;
    writeFileSync(scene.path('root.pem'), scene.root_pem);
    await scene.listen();
    return scene;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async listen(hostname = ''): Promise<void> {
    const listeners = [{ interface: 'lo', address: '127.0.0.1', port: 0 }];
    const content = writeManifest({ version: 1, listeners, hostname });
    await this.house.services.host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
    await this.listeners.start();
    await until(() => this.listeners.addresses.length === 1);
  }

  get port(): number {
    return this.listeners.addresses[0]!.port;
  }

  /** What the API answers, which has to be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async api(method: string, path: string, body?: unknown): Promise<any> {
    const heard = await this.house.send(method, path, { token: this.admin.token, ...(body !== undefined && { body }) });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body;
  }

  async provider(name: string, more: object = {}): Promise<string> {
    return (await this.api('POST', '/api/v1/kms/providers', { name, ...more })).id;
  }

  async client(provider_id: string, name = 'vc01.lab.example'): Promise<Pair> {
    const sent = { provider_id, name, names: [name], own_password: PASSWORD };
    const made = await this.api('POST', '/api/v1/kms/clients/with-key', sent);
    return { client_id: made.client.id, certificate: made.client.certificate, private_key: made.private_key };
  }

  /** A connection whose handshake is done. */
  connect(pair: Pick<Pair, 'certificate' | 'private_key'> | null, options: object = {}): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: this.port,
        ca: this.root_pem,
        ...(pair && { cert: pair.certificate, key: pair.private_key }),
        ...options,
      });
      socket.once('secureConnect', () => resolve(socket));
      socket.once('error', reject);
    });
  }

  async close(): Promise<void> {
    await this.listeners.stop(0);
    await this.house.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
