// A house whose people may sign in at somebody else's provider, and a browser without script.
import {
  type FakeProvider,
  type FakeProviderOptions,
  type Person,
  startOpenIdProvider,
  visit,
} from '../fakes/openid-provider.ts';
import { type Credentials, type Heard, House, type HouseOptions } from './house.ts';
import { permitLoopback } from './remote-scene.ts';

export const UI = '/ui/management';
export const SIGN_IN = `${UI}/sign-in`;
export const PROVIDER = '/api/v1/sign-in-provider';
export const ADA: Person = {
  sub: 'person-1',
  preferred_username: 'Ada.Lovelace@lab.example',
  groups: ['staff', 'gc-admins'],
};

/** Cookies of one browser at the appliance. */
export class Browser {
  readonly #house: House;
  readonly jar = new Map<string, string>();

  constructor(house: House) {
    this.#house = house;
  }

  async send(
    method: string,
    target: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Heard> {
    const event = this.#house.event(method, target, {
      headers: {
        accept: 'text/html',
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded', origin: this.#house.origin }),
        ...headers,
      },
      ...(fields && { raw: new URLSearchParams(fields).toString() }),
    });
    event.cookies = [...this.jar].map(([name, value]) => `${name}=${value}`);
    const answer = await this.#house.appliance.answer(event);
    this.#house.heard.push({ method, path: target, answer });
    for (const line of answer.cookies ?? []) {
      const [pair] = line.split(';') as [string];
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const { statusCode: status, body: text, cookies = [] } = answer;
    return { status, headers: answer.headers, cookies, text, body: undefined };
  }

  get = (target: string): Promise<Heard> => this.send('GET', target);

  /** Presses the button; answers the address at the provider, or the page that refuses. */
  async begin(return_to = ''): Promise<{ address: string; heard: Heard }> {
    const csrf = fieldOf((await this.get(SIGN_IN)).text, 'csrf');
    const heard = await this.send('POST', `${SIGN_IN}/external`, { csrf, return_to });
    const [, address = ''] = /href="(https:[^"]+)"/.exec(heard.text) ?? [];
    return { address: address.replaceAll('&amp;', '&'), heard };
  }

  /** What the page of the callback posts. */
  async finish(callback: string, changed: Record<string, string> = {}): Promise<Heard> {
    const { pathname, search } = new URL(callback);
    const { text } = await this.get(`${pathname}${search}`);
    const names = ['csrf', 'state', 'code', 'iss', 'error'].filter((name) => text.includes(`name="${name}"`));
    const fields = Object.fromEntries(names.map((name) => [name, fieldOf(text, name)]));
    return this.send('POST', `${SIGN_IN}/external/finish`, { ...fields, ...changed });
  }

  /** All of it. */
  async signIn(return_to = ''): Promise<Heard> {
    const { address, heard } = await this.begin(return_to);
    return address === '' ? heard : this.finish(await visit(address));
  }
}

export function fieldOf(text: string, name: string): string {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? [];
  if (value === undefined) throw new Error(`no field ${name}: ${text}`);
  return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}

export class ExternalScene {
  readonly house: House;
  readonly admin: Credentials;
  readonly fake: FakeProvider;

  private constructor(house: House, admin: Credentials, fake: FakeProvider) {
    this.house = house;
    this.admin = admin;
    this.fake = fake;
  }

  static async open(options: HouseOptions = {}, provider: Partial<FakeProviderOptions> = {}): Promise<ExternalScene> {
    const house = await House.open({ ticker: false, ...options });
    const admin = await house.actor('admin');
    await permitLoopback(house, admin);
    const redirect_uri = `${house.origin}${SIGN_IN}/external/callback`;
    const scene = new ExternalScene(
      house,
      admin,
      await startOpenIdProvider({ redirect_uri, person: ADA, ...provider }),
    );
    await scene.put();
    await scene.confirm(scene.fake.sha256);
    return scene;
  }

  send(method: string, path: string, body?: unknown): Promise<Heard> {
    return this.house.send(method, path, { token: this.admin.token, ...(body !== undefined && { body }) });
  }

  put(changed: object = {}): Promise<Heard> {
    const { issuer, client_id, client_secret } = this.fake;
    const roles = [
      { group: 'gc-viewers', role: 'viewer' },
      { group: 'gc-admins', role: 'admin' },
    ];
    return this.send('PUT', PROVIDER, { name: 'Lab identity', issuer, client_id, client_secret, roles, ...changed });
  }

  confirm(sha256: string): Promise<Heard> {
    return this.send('POST', `${PROVIDER}/confirm-certificate`, { sha256 });
  }

  browser(): Browser {
    return new Browser(this.house);
  }

  async close(): Promise<void> {
    await this.fake.stop();
    await this.house.close();
  }
}
