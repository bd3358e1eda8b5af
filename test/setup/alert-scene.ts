// An appliance whose clock the test sets, with receivers of alerts on loopback.

import { later } from '../../shared/ground/clock.ts';
import type { Present } from '../../shared/vcf/alerts/alert.ts';
import { takeStep } from '../../shared/vcf/alerts/alert-store.ts';
import { beginDeliveries, deliveriesSettled } from '../../shared/vcf/alerts/deliver.ts';
import { readRules } from '../../shared/vcf/alerts/rules.ts';
import { startTlsTarget, type TlsTarget, type TlsTargetOptions } from '../fakes/tls-target.ts';
import { type Credentials, type Heard, House, type HouseOptions } from './house.ts';

export const RECEIVERS = '/api/v1/alert-receivers';
export const ALERTS = '/api/v1/alerts';
export const RULES = '/api/v1/alert-rules';

export const FAILING: Present = {
  id: 'unit_failing',
  subject: 'ntp',
  severity: 'critical',
  says: 'NTP does not answer as applied.',
};

/** A request as a webhook's server got it. */
export interface Got {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export class AlertScene {
  house: House;
  admin: Credentials;
  now: Date;
  readonly lines: string[] = [];
  readonly got: Got[] = [];
  /** What servers answer. */
  status = 204;
  headers: Record<string, string> = {};
  #fakes: TlsTarget[] = [];
  #signed_in = 0;

  private constructor(house: House, admin: Credentials, now: Date) {
    this.house = house;
    this.admin = admin;
    this.now = now;
  }

  static async open(): Promise<AlertScene> {
    const scene = new AlertScene(undefined as never, undefined as never, new Date());
    scene.house = await House.open(scene.#options());
    await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
    return scene;
  }

  #options(): HouseOptions {
    return {
      ticker: false,
      services: { clock: { now: () => this.now } },
      log: (line) => void this.lines.push(line),
    };
  }

  /** The service ends and starts again on its data. */
  async restart(): Promise<void> {
    const { data } = this.house;
    await this.house.close(true);
    this.house = await House.open({ ...this.#options(), data });
  }

  async close(): Promise<void> {
    await Promise.all(this.#fakes.map((fake) => fake.stop()));
    await deliveriesSettled(this.house.services);
    await this.house.close();
  }

  /** Hours that the test lets pass end every session. */
  async #fresh(): Promise<void> {
    if (this.now.getTime() - this.#signed_in < 600_000) return;
    this.admin = await this.house.actor('admin');
    this.#signed_in = this.now.getTime();
  }

  async send(method: string, path: string, body?: unknown): Promise<Heard> {
    await this.#fresh();
    return this.house.send(method, path, { token: this.admin.token, ...(body !== undefined && { body }) });
  }

  /** @throws Error for a refusal */
  async api(method: string, path: string, body?: unknown): Promise<Heard['body']> {
    const heard = await this.send(method, path, body);
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
    return heard.body;
  }

  async page(path: string): Promise<Heard> {
    await this.#fresh();
    return this.house.send('GET', `/ui/management${path}`, { session: this.admin });
  }

  async post(path: string, form: Record<string, string | string[]>): Promise<Heard> {
    await this.#fresh();
    return this.house.send('POST', `/ui/management${path}`, { session: this.admin, form });
  }

  async server(options: TlsTargetOptions = {}): Promise<TlsTarget> {
    const fake = await startTlsTarget({
      answer: (request, response) => {
        let body = '';
        request
          .on('data', (piece) => {
            body += piece;
          })
          .on('end', () => {
            this.got.push({ path: request.url ?? '', headers: request.headers, body });
            response.writeHead(this.status, this.headers).end();
          });
      },
      ...options,
    });
    this.#fakes.push(fake);
    return fake;
  }

  /** A webhook that is ready: certificate confirmed, secret made. */
  async webhook(fake: TlsTarget, name = 'hook', more: object = {}): Promise<{ id: string; secret: string }> {
    const url = `https://127.0.0.1:${fake.port}/hook?room=1`;
    const { id } = await this.api('POST', RECEIVERS, { name, kind: 'webhook', url, ...more });
    await this.api('POST', `${RECEIVERS}/${id}/confirm-certificate`, { sha256: fake.sha256 });
    const { secret } = await this.api('POST', `${RECEIVERS}/${id}/make-secret`);
    return { id, secret };
  }

  pass(seconds: number): void {
    this.now = later(this.now, seconds);
  }

  /** One look at these conditions. */
  async look(...present: Present[]): Promise<(string | null)[]> {
    const { services } = this.house;
    const rules = await readRules(services.store);
    const changes = await takeStep(services, { now: this.now, present, unknown: new Set() }, rules);
    return changes.map(({ tells }) => tells);
  }

  /** Opened and told of. */
  async open(...present: Present[]): Promise<void> {
    await this.look(...present);
    this.pass(61);
    await this.look(...present);
  }

  /** Sends what is due, and waits for it. */
  async deliver(): Promise<void> {
    await beginDeliveries(this.house.services);
    await deliveriesSettled(this.house.services);
  }
}
