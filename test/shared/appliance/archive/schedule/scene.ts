// What the tests of targets share: a house with a schedule, and what a run of it says.
import { newIdentity } from '../../../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../../../shared/ground/clock.ts';
import { type Credentials, House, type HouseOptions, type Send } from '../../../../setup/house.ts';

export const OWNER = newIdentity(systemEntropy);
export const SCHEDULE = '/api/v1/archives/schedule';
export const TARGETS = `${SCHEDULE}/targets`;

export interface Step {
  name: string;
  title: string;
  state: string;
  log: { text: string }[];
}
export interface Ran {
  id: string;
  state: string;
  steps: Step[];
  /** All lines of the steps. */
  said: string;
  error: { error_code: string; detail: string } | null;
  result: { archive: string; size_bytes: number; sha256: string; verified: string[]; warnings: string[] } | null;
}

export class TargetScene {
  readonly house: House;
  admin: Credentials;
  /** What the service logged. */
  readonly lines: string[];

  private constructor(house: House, admin: Credentials, lines: string[]) {
    this.house = house;
    this.admin = admin;
    this.lines = lines;
  }

  static async open(options: HouseOptions = {}): Promise<TargetScene> {
    const lines: string[] = [];
    const house = await House.open({ ticker: false, log: (line) => void lines.push(line), ...options });
    const admin = await house.actor('admin', undefined, options.data ? undefined : 'ada');
    const scene = new TargetScene(house, admin, lines);
    await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
    await scene.api('PATCH', SCHEDULE, { recipients: [OWNER.recipient] });
    return scene;
  }

  /** Tokens and sessions end with the time: another administrator, after a test has set the clock. */
  async renew(): Promise<void> {
    this.admin = await this.house.actor('admin');
  }

  api(method: string, path: string, body?: unknown, more: Send = {}) {
    return this.house.send(method, path, { token: this.admin.token, ...(body !== undefined && { body }), ...more });
  }

  page(path: string) {
    return this.house.send('GET', path, { session: this.admin });
  }

  /** A target; answers its id. */
  async target(body: object): Promise<string> {
    const answer = await this.api('POST', TARGETS, body);
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body.id;
  }

  async trust(id: string): Promise<string> {
    const seen = await this.api('POST', `${TARGETS}/${id}/look-at-host-key`);
    const { host_key_sha256 } = seen.body;
    const confirmed = await this.api('POST', `${TARGETS}/${id}/confirm-host-key`, { host_key_sha256 });
    if (confirmed.status !== 200) throw new Error(`${confirmed.status} ${confirmed.text}`);
    return host_key_sha256;
  }

  async run(): Promise<Ran> {
    const { body, status, text } = await this.api('POST', `${SCHEDULE}/run`);
    if (status !== 202) throw new Error(`${status} ${text}`);
    await this.house.appliance.runner.idle();
    return this.job(body.job_id);
  }

  async job(id: string): Promise<Ran> {
    const { body } = await this.api('GET', `/api/v1/jobs/${id}`);
    const steps = body.tasks as Step[];
    const said = steps.flatMap(({ log }) => log.map(({ text }) => text)).join('\n');
    return { id, state: body.state, steps, said, error: body.error, result: body.result };
  }

  copies(target_id: string): Promise<{ name: string; sha256: string; size_bytes: number }[]> {
    return this.house.services.store.all(
      'SELECT name, sha256, size_bytes FROM archive_copy WHERE target_id = ? ORDER BY made_at',
      [target_id],
    );
  }

  close(keep = false): Promise<void> {
    return this.house.close(keep);
  }
}
