// A client of the provider with a SCIM target on loopback, for people of the appliance and of a directory.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeScim, type FakeScimOptions, startScim } from '../fakes/scim.ts';
import { furnishDirectory, putInForce, SLUG } from './automation-ldap-house.ts';
import { type Credentials, House, type HouseOptions } from './house.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
export type Any = any;
export const CLIENTS = '/api/v1/oidc/clients';
const REDIRECT = 'https://vc01.lab.example/federation/t/CUSTOMER/auth/response/oauth2';

export class ScimScene {
  readonly house: House;
  readonly admin: Credentials;
  readonly fakes: FakeScim[] = [];
  #clients = 0;

  private constructor(house: House, admin: Credentials) {
    this.house = house;
    this.admin = admin;
  }

  static async open(options: HouseOptions = {}, directory = false): Promise<ScimScene> {
    const house = await House.open({ ticker: false, ...options });
    const scene = new ScimScene(house, await house.actor('admin'));
    await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
    if (directory) {
      await furnishDirectory(house, scene.admin);
      await putInForce(house);
    }
    return scene;
  }

  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Any; text: string }> {
    return this.house.send(method, path, { token: this.admin.token, ...(body !== undefined && { body }) });
  }

  async api(method: string, path: string, body?: unknown): Promise<Any> {
    return (await this.send(method, path, body)).body;
  }

  async fake(options: FakeScimOptions = {}): Promise<FakeScim> {
    const fake = await startScim(options);
    this.fakes.push(fake);
    return fake;
  }

  /** A client with a target whose certificate is confirmed; answers the path of the target. */
  async target(fake: FakeScim, client: object = {}, target: object = {}): Promise<string> {
    this.#clients += 1;
    const made = await this.api('POST', CLIENTS, {
      ...{ name: `vc${this.#clients}`, preset: 'vcenter', redirect_uris: [REDIRECT] },
      ...client,
    });
    const at = `${CLIENTS}/${made.client.id}/scim`;
    await this.api('PUT', at, { base_url: fake.base_url, token: fake.token, ...target });
    await this.api('POST', `${at}/confirm-certificate`, { sha256: fake.sha256 });
    return at;
  }

  directoryTarget(fake: FakeScim, client: object = {}, target: object = {}): Promise<string> {
    return this.target(fake, { source: 'directory', organization: SLUG, ...client }, target);
  }

  /** Pushes; answers the job as it ended. */
  async push(at: string): Promise<Any> {
    const { job_id } = await this.api('POST', `${at}/push`);
    await this.house.appliance.runner.idle();
    return this.api('GET', `/api/v1/jobs/${job_id}`);
  }

  /** `user ada created`, sorted. */
  async objects(at: string): Promise<string[]> {
    const { items } = await this.api('GET', `${at}/objects?limit=1000`);
    return items.map(({ kind, name, outcome }: Any) => `${kind} ${name} ${outcome}`);
  }

  /** Reason of one that was refused. */
  async reason(at: string, name: string): Promise<string> {
    const { items } = await this.api('GET', `${at}/objects?limit=1000`);
    return items.find((item: Any) => item.name === name).reason;
  }

  /** The data folder as it is at this moment: what a killed process would leave. */
  copy(): string {
    const folder = mkdtempSync(join(tmpdir(), 'groundcrew-scim-'));
    cpSync(this.house.data, folder, { recursive: true });
    return folder;
  }

  async close(): Promise<void> {
    for (const fake of this.fakes.splice(0)) await fake.stop();
    await this.house.close();
  }
}

/** User names at a fake, sorted; `-` before one that is not active. */
export const usersAt = ({ users }: FakeScim): string[] =>
  [...users.values()].map(({ userName, active }) => `${active === false ? '-' : ''}${userName}`).sort();

/** `name: member member` of each group at a fake, sorted. */
export const groupsAt = ({ users, groups }: FakeScim): string[] =>
  [...groups.values()]
    .map(({ displayName, members = [] }) => {
      const names = members.map(({ value }: Any) => users.get(value)?.userName ?? '?').sort();
      return `${displayName}: ${names.join(' ')}`.trim();
    })
    .sort();
