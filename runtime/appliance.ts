// The whole appliance in one object: services, job runner, ticker, routers and listeners; start and graceful stop. Tests
// start it in process, main.ts from the environment.
import { JOB_KINDS } from '../shared/jobs/registry.ts';
import { JobRunner } from '../shared/jobs/runner.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/operation/event.ts';
import { openApiDocument } from '../shared/operation/openapi.ts';
import type { Services } from '../shared/operation/services.ts';
import type { Assets } from './assets.ts';
import type { ListenAddress } from './config.ts';
import { EventStream } from './event-stream.ts';
import { showForm } from './form-outcome.ts';
import { operations } from './generated/operations.ts';
import { pages } from './generated/pages.ts';
import { scheduled } from './generated/scheduled.ts';
import { type Listener, type Sharing, startListener } from './listener.ts';
import { AppliedAddresses } from './listener-addresses.ts';
import { type FollowingListener, followApplied, follows } from './listener-follow.ts';
import { createRouter } from './router.ts';
import { Ticker } from './ticker.ts';

/** Running requests get this long to finish when the appliance stops, milliseconds. */
const STOP_GRACE = 5_000;

export interface ApplianceOptions {
  services: Services;
  assets: Assets;
  /** All addresses, on a host that enforces: where the management UI is to be reached, as applied. */
  listen: ListenAddress;
  public_listen: ListenAddress | null;
  tls: { cert: string; key: string } | null;
}

export interface Appliance {
  services: Services;
  runner: JobRunner;
  management: ListenAddress;
  public: ListenAddress | null;
  /** Answers an event as the management listener would, without a socket. */
  answer(event: GatewayEvent): Promise<GatewayAnswer>;
  stop(): Promise<void>;
}

export async function startAppliance(options: ApplianceOptions): Promise<Appliance> {
  const { services, assets, tls } = options;
  const all = [...operations, ...pages];
  const { base_url, version } = services.settings;
  services.settings.openapi = JSON.stringify(openApiDocument(all, { base_url, version }));
  const management = createRouter(all, ['api', 'management']);
  const outside = createRouter(all, ['public']);
  const runner = new JobRunner(services, JOB_KINDS);
  const stream = new EventStream(services);
  let followed: FollowingListener | null = null;
  services.notify = (topic) => {
    if (topic === 'jobs') followed?.look();
    if (topic !== 'pending') runner.wake();
    if (topic !== 'queue') stream.publish(topic);
  };
  const answer = async (event: GatewayEvent) =>
    showForm(management, event, services, await management.route(event, services));
  const answerOutside = async (event: GatewayEvent) =>
    showForm(outside, event, services, await outside.route(event, services));
  const ticker = new Ticker(services, scheduled);
  const listeners: Listener[] = [];
  const common = { tls, services, assets };
  const start = (listen: ListenAddress, sharing?: Sharing) =>
    startListener({
      ...common,
      listen,
      answer,
      stream: (...taken) => stream.take(...taken),
      ...(sharing && { sharing }),
    });
  if (await follows(options.listen, services)) {
    const applied = new AppliedAddresses(services);
    const { logger } = services;
    followed = await followApplied({ listen: options.listen, addresses: () => applied.read(), start, logger });
  }
  listeners.push(followed ?? (await start(options.listen)));
  if (options.public_listen) {
    listeners.push(await startListener({ ...common, listen: options.public_listen, answer: answerOutside }));
  }
  ticker.start();
  runner.wake();
  return {
    services,
    runner,
    management: listeners[0]!.address,
    public: listeners[1]?.address ?? null,
    answer,
    async stop() {
      stream.close();
      await ticker.stop();
      await Promise.all(listeners.map((listener) => listener.stop(STOP_GRACE)));
      await runner.stop();
      await services.lastUse.flush(services.store).catch(() => undefined);
      await services.store.close();
    },
  };
}
