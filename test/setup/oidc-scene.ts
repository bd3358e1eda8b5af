// An OpenID Connect provider in a house: settings by the API, a real apply, and its listeners at a port of 127.0.0.1. Requests go
// over TLS by its name, as a client's and a browser's do.
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import * as oidc from 'openid-client';
import { OidcListeners } from '../../runtime/oidc-listeners.ts';
import { TlsDoors } from '../../runtime/tls-doors.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { MANIFEST_PATH, writeManifest } from '../../shared/services/oidc/manifest.ts';
import { applyAll } from './depot.ts';
import { type Credentials, House, type HouseOptions, PASSWORD } from './house.ts';
import { until } from './until.ts';

export const ID_NAME = 'id.lab.example';
export const ISSUER = `https://${ID_NAME}/identity`;
export const CALLBACK = 'https://app.lab.example/callback';
const NO_ASSETS = { manifest: {}, serve: () => false };

export interface Heard {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Registered {
  client_id: string;
  client_secret: string;
}

interface Sent {
  method?: string;
  /** Instead of the path: what stands in the first line. */
  target?: string;
  headers?: Record<string, string>;
  body?: string;
}

export class OidcScene {
  readonly house: House;
  readonly admin: Credentials;
  readonly listeners: OidcListeners;
  readonly doors: TlsDoors;
  root_pem = '';

  private constructor(house: House, admin: Credentials, options: HouseOptions) {
    this.house = house;
    this.admin = admin;
    this.doors = new TlsDoors({ services: house.services });
    const instead = { host: '127.0.0.1', port: 0 };
    const assets = options.assets ?? NO_ASSETS;
    this.listeners = new OidcListeners({ services: house.services, assets, doors: this.doors, instead });
  }

  /** With a root, applied, and listening. */
  static async open(options: HouseOptions = {}, settings: object = {}): Promise<OidcScene> {
    const house = await House.open(options);
    const scene = new OidcScene(house, await house.actor('admin'), options);
    await scene.api('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
    await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
    scene.root_pem = (await scene.api('GET', '/api/v1/certificate-authority/root')).pem;
    await scene.apply({ enabled: true, hostname: ID_NAME, listen_interfaces: ['ens192'], ...settings });
    await scene.listeners.start();
    await until(() => scene.listeners.addresses.length === 1);
    return scene;
  }

  /** In a house whose host enforces: the manifest is written as an apply would, and the listeners are at 127.0.0.1. */
  static async over(house: House, admin: Credentials): Promise<OidcScene> {
    const scene = new OidcScene(house, admin, {});
    scene.root_pem = (await scene.api('GET', '/api/v1/certificate-authority/root')).pem;
    const content = writeManifest({
      version: 1,
      listeners: [{ interface: 'lo', address: '127.0.0.1', port: 0 }],
      hostname: ID_NAME,
      issuer: ISSUER,
      ...{ access_token_seconds: 300, id_token_seconds: 300, code_seconds: 60 },
    });
    await house.services.host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
    await scene.listeners.start();
    await until(() => scene.listeners.addresses.length === 1);
    return scene;
  }

  /** Saves settings, and applies them. */
  async apply(settings: object): Promise<void> {
    await this.api('PATCH', '/api/v1/oidc/settings', settings);
    await applyAll(this.house, (method, path, body) => this.api(method, path, body));
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

  async register(more: object = {}): Promise<Registered> {
    const sent = { name: 'Lab app', redirect_uris: [CALLBACK], ...more };
    const { client, client_secret } = await this.api('POST', '/api/v1/oidc/clients', sent);
    return { client_id: client.id, client_secret };
  }

  /** A request at the name of the provider, or another one. */
  ask(
    address: string,
    { method = 'GET', target, headers = {}, body }: Sent = {},
    servername = ID_NAME,
  ): Promise<Heard> {
    const url = new URL(address, ISSUER);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port: this.port, servername, ca: this.root_pem, method, agent: false },
          path: target ?? url.pathname + url.search,
          headers: {
            host: ID_NAME,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The provider as openid-client finds it, with this client. */
  discover({ client_id, client_secret }: Registered, auth = oidc.ClientSecretBasic(client_secret)) {
    const options = { [oidc.customFetch]: this.#fetch };
    return oidc.discovery(new URL(ISSUER), client_id, client_secret, auth, options).then((found) => {
      found[oidc.customFetch] = this.#fetch;
      return found;
    });
  }

  readonly #fetch: oidc.CustomFetch = async (url, { method, headers, body }) => {
    const heard = await this.ask(url, {
      method,
      headers: Object.fromEntries(new Headers(headers as HeadersInit)),
      ...(body !== undefined && body !== null && { body: String(body) }),
    });
    const own = Object.entries(heard.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return new Response([204, 304].includes(heard.status) ? null : heard.text, { status: heard.status, headers: own });
  };

  async close(): Promise<void> {
    await this.listeners.stop(0);
    await this.house.close();
  }
}

/** A browser as far as it matters: it keeps cookies by path, and follows redirects within the provider. */
export class Visitor {
  readonly #scene: OidcScene;
  readonly #cookies = new Map<string, { path: string; value: string }>();

  constructor(scene: OidcScene) {
    this.#scene = scene;
  }

  /** Names of the cookies that it holds, with what the provider said of them. */
  readonly said: string[] = [];

  async ask(address: string, sent: Sent = {}): Promise<Heard> {
    const { pathname } = new URL(address, ISSUER);
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => path === '/' || pathname === path || pathname.startsWith(`${path}/`))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ');
    const heard = await this.#scene.ask(address, {
      ...sent,
      headers: { accept: 'text/html', cookie, ...sent.headers },
    });
    for (const line of heard.headers['set-cookie'] ?? []) this.#keep(line);
    return heard;
  }

  #keep(line: string): void {
    this.said.push(line);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const [, path = '/'] = /; path=([^;]*)/i.exec(line) ?? [];
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(`${name} ${path}`);
    else this.#cookies.set(`${name} ${path}`, { path, value });
  }

  /** Follows redirects until a page, or an address that is not the provider's. */
  async go(address: string, sent: Sent = {}): Promise<Heard & { at: string }> {
    let at = address;
    let heard = await this.ask(at, sent);
    for (let hops = 0; heard.headers.location !== undefined && hops < 10; hops += 1) {
      at = new URL(heard.headers.location, new URL(at, ISSUER)).href;
      if (new URL(at).host !== ID_NAME) break;
      heard = await this.ask(at);
    }
    return { ...heard, at };
  }

  post(address: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(fields).toString();
    return this.go(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${ID_NAME}`, ...headers },
      body,
    });
  }

  /** From the request of a client to where the browser is sent in the end. */
  async signIn(
    address: URL | string,
    username: string,
    password = PASSWORD,
    code?: string,
  ): Promise<Heard & { at: string }> {
    const form = await this.go(String(address));
    if (!form.text.includes('name="password"')) return form;
    const second = code === undefined ? {} : { code };
    return this.post(form.at, { csrf: hidden(form.text, 'csrf'), username, password, ...second });
  }
}

/** The value of a hidden field. */
export const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? '';
