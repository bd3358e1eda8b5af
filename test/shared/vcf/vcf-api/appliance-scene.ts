// A fake appliance and a client that is pinned to it, closed together.
import { type PinnedClient, pinnedClient } from '../../../../shared/vcf/connection/pinned-client.ts';
import type { Appliance } from '../../../../shared/vcf/vcf-api/appliance.ts';
import { detectAppliance } from '../../../../shared/vcf/vcf-api/detect.ts';
import { ApplianceFault } from '../../../../shared/vcf/vcf-api/fault.ts';
import { type ApplianceSession, login } from '../../../../shared/vcf/vcf-api/session.ts';
import { anonymously } from '../../../../shared/vcf/vcf-api/transport.ts';
import { startVcfAppliance, type VcfAppliance, type VcfApplianceOptions } from '../../../fakes/vcf-appliance.ts';

export class Scene {
  readonly fake: VcfAppliance;
  client: PinnedClient;
  readonly #clients: PinnedClient[] = [];

  private constructor(fake: VcfAppliance) {
    this.fake = fake;
    this.client = this.pinned();
  }

  static async open(options: VcfApplianceOptions): Promise<Scene> {
    return new Scene(await startVcfAppliance(options));
  }

  /** A client for the certificate that the fake shows now. */
  pinned(timeout = 5000): PinnedClient {
    const { host, port, sha256 } = this.fake;
    this.client = pinnedClient({ host, address: host, port, sha256, timeout });
    this.#clients.push(this.client);
    return this.client;
  }

  login(password = this.fake.account.password): Promise<ApplianceSession> {
    return login(this.client, { username: this.fake.account.username, password });
  }

  async ready(): Promise<{ session: ApplianceSession; appliance: Appliance }> {
    const found = await detectAppliance(anonymously(this.client));
    if (found.state !== 'ready') throw new Error(found.state);
    return { session: await this.login(), appliance: found.appliance };
  }

  /** `METHOD /path status` of every request so far. */
  seen(): string[] {
    return this.fake.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.fake.stop();
  }
}

/** The scene is closed whatever happens in it. */
export async function within<T>(options: VcfApplianceOptions, act: (scene: Scene) => Promise<T>): Promise<T> {
  const scene = await Scene.open(options);
  try {
    return await act(scene);
  } finally {
    await scene.close();
  }
}

/** The fault that it ends with; an error when it doesn't. */
export async function faultFrom(acting: Promise<unknown>): Promise<ApplianceFault> {
  try {
    await acting;
  } catch (error) {
    if (error instanceof ApplianceFault) return error;
    throw error;
  }
  throw new Error('There was no fault.');
}

/** Everything that a fault can carry to a log, a page or a job row. */
export const everythingOf = (fault: Error): string =>
  [fault.message, fault.stack, JSON.stringify(fault), JSON.stringify(Object.entries(fault)), String(fault.cause)].join(
    '\n',
  );
