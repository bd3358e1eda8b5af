// The whole appliance in one object: services, job runner, ticker, routers and listeners; start and graceful stop.
// Tests start it in process, main.ts from the environment.
import { setTimeout as delay } from 'node:timers/promises';
import { JOB_KINDS } from '../shared/appliance/job-kinds.ts';
import { TAGS } from '../shared/appliance/tags.ts';
import { releaseRequests } from '../shared/kernel/access/held-locks.ts';
import { recallAddresses } from '../shared/kernel/access/known-addresses.ts';
import { JobRunner } from '../shared/kernel/jobs/runner.ts';
import { Constant } from '../shared/kernel/operation/constant.ts';
import type { Scheduled } from '../shared/kernel/operation/define-scheduled.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/kernel/operation/event.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { Traffic } from '../shared/kernel/operation/traffic.ts';
import {
  MANIFEST_PATH as PORTAL_MANIFEST,
  readManifest as readPortalManifest,
} from '../shared/platform/certificate-authority/portal/manifest.ts';
import { warnOfLostValues } from '../shared/platform/vaults/overview.ts';
import {
  MANIFEST_PATH as BOOT_MANIFEST,
  readManifest as readBootManifest,
} from '../shared/services/network-boot/manifest.ts';
import { deliveriesSettled } from '../shared/vcf/alerts/deliver.ts';
import type { Assets } from './assets.ts';
import { bootFiles } from './boot-files.ts';
import { bootPlane, refusal } from './boot-plane.ts';
import type { ListenAddress } from './config.ts';
import { DepotListeners } from './depot-listeners.ts';
import { DirectoryFollower } from './directory-follower.ts';
import { EventStream } from './event-stream.ts';
import { showForm } from './form-outcome.ts';
import { operations } from './generated/operations.ts';
import { pages } from './generated/pages.ts';
import { scheduled } from './generated/scheduled.ts';
import { KmsListeners } from './kms-listeners.ts';
import type { SessionShell } from './kms-session.ts';
import { type ListenerOptions, type Sharing, startListener } from './listener.ts';
import { AppliedAddresses } from './listener-addresses.ts';
import { type FollowingListener, followApplied, follows } from './listener-follow.ts';
import { ManagementCertificate } from './management-certificate.ts';
import { namesNow } from './management-names.ts';
import { ManifestListeners } from './manifest-listeners.ts';
import { OidcListeners } from './oidc-listeners.ts';
import { OwnNames } from './own-names.ts';
import { PlainDoors } from './plain-doors.ts';
import { portalPlane } from './portal-plane.ts';
import { createRouter } from './router.ts';
import { TerminalDoor } from './terminal-door.ts';
import { takeDownload } from './terminal-download.ts';
import { Ticker } from './ticker.ts';
import { TlsDoors } from './tls-doors.ts';

/** Running requests get this long to finish when the appliance stops, milliseconds. */
const STOP_GRACE = 5_000;
/** So long alerts that are on their way may take then, milliseconds. */
const ALERTS_GRACE = 2_000;
/** Recordings of terminals get this long to have their end written, milliseconds: without it one looks as after a crash. */
const TERMINALS_GRACE = 5_000;
const within = (work: Promise<unknown>, ms: number) => Promise.race([work, delay(ms, undefined, { ref: false })]);

/**
 * A machine that boots needs one connection or two, and nested hosts may share an address; a program that checks a certificate
 * needs one for a short question, and many may come through one address. None of them signs in, so no room is reserved.
 */
const PLAIN_LIMITS = { connectionsEach: 64, connectionsNetwork: 256, connectionsReserved: 0 };

export interface ApplianceOptions {
  services: Services;
  assets: Assets;
  /** All addresses, on a host that enforces: where the management UI is to be reached, as applied. */
  listen: ListenAddress;
  public_listen: ListenAddress | null;
  boot_listen?: ListenAddress | null;
  depot_listen?: ListenAddress | null;
  /** Other times for connections of KMIP; tests. */
  kms_times?: SessionShell['times'];
  /** Other times for terminals; tests. */
  terminal_times?: ConstructorParameters<typeof TerminalDoor>[1];
  tls: { cert: string; key: string } | null;
  /** Scheduled work; default: all of it. */
  scheduled?: readonly Scheduled[];
}

export interface Appliance {
  services: Services;
  runner: JobRunner;
  management: ListenAddress;
  public: ListenAddress | null;
  boot: ListenAddress | null;
  /** Where the offline depot answers now, by the applied state. */
  readonly depot: ListenAddress[];
  /** Follows the applied state at once; by itself it would within a second. */
  followDepot(): Promise<void>;
  /** The next look also looks after the certificate of the depot. */
  renewDepot(): void;
  /** Where the KMIP server answers now, by the applied state. */
  readonly kms: ListenAddress[];
  /** Answers an event as the certificate portal would, without a socket. */
  answerPortal(event: GatewayEvent): Promise<GatewayAnswer>;
  /** Answers an event as the boot listener would, without a socket. */
  answerBoot(event: GatewayEvent): Promise<GatewayAnswer>;
  /** Answers an event as the management listener would, without a socket. */
  answer(event: GatewayEvent): Promise<GatewayAnswer>;
  stop(): Promise<void>;
}

type Planes = ReturnType<typeof planesOf>;

/** What is answered where. */
function planesOf({ services }: ApplianceOptions) {
  const all = [...operations, ...pages];
  const management = createRouter(all, ['api', 'management']);
  const outside = createRouter(all, ['public']);
  return {
    all,
    answer: async (event: GatewayEvent) =>
      showForm(management, event, services, await management.route(event, services)),
    answerOutside: async (event: GatewayEvent) =>
      showForm(outside, event, services, await outside.route(event, services)),
    answerBoot: bootPlane(all, services),
    portal: portalPlane(services),
  };
}

/**
 * Made, by what is loaded for it, when somebody reads it for the first time: it costs a tenth of a second of the start.
 */
function offerDocument({ settings }: Services, { all }: Planes): void {
  const { base_url, version } = settings;
  let document: Promise<Constant> | null = null;
  settings.openapi = () =>
    (document ??= import('../shared/kernel/operation/openapi.ts')
      .then(
        ({ openApiDocument }) => new Constant(JSON.stringify(openApiDocument(all, { base_url, version, tags: TAGS }))),
      )
      .catch((error: unknown) => {
        // The next try may succeed.
        document = null;
        throw error;
      }));
}

/** The management UI, where it is to be reached as applied, and the public pages. */
async function startPages(
  options: ApplianceOptions,
  { answer, answerOutside }: Planes,
  { stream, terminal }: { stream: EventStream; terminal: TerminalDoor },
) {
  const { services, assets } = options;
  const tls = options.tls && new ManagementCertificate(services, options.tls);
  await tls?.start();
  await recallAddresses(services.store, services.lastUse.addresses, services.clock.now());
  const known = (address: string) => services.lastUse.addresses.has(address);
  const names = new OwnNames({ services, certificate: () => tls?.shown.cert ?? null });
  const common = { tls, services, assets, known, names };
  const doors = new TlsDoors({ services, own: namesNow(services.settings, tls) });
  const start = (listen: ListenAddress, sharing?: Sharing) =>
    startListener({
      ...common,
      ...(tls && { doors }),
      listen,
      answer,
      stream: async (...taken) => (await stream.take(...taken)) || takeDownload(services, ...taken),
      upgrade: terminal,
      ...(sharing && { sharing }),
    });
  let followed: FollowingListener | null = null;
  if (await follows(options.listen, services)) {
    const applied = new AppliedAddresses(services);
    const { logger } = services;
    followed = await followApplied({ listen: options.listen, addresses: () => applied.read(), start, logger });
  }
  const management = followed ?? (await start(options.listen));
  const listen = options.public_listen;
  const outside = listen && (await startListener({ ...common, listen, answer: answerOutside }));
  return { doors, followed, management, outside, certificate: tls };
}

/** What machines ask over plain HTTP: at one address, or where the applied state has it. A rehearsal serves no network. */
async function startPlain(options: ApplianceOptions, { answerBoot, portal }: Planes) {
  const { services, boot_listen } = options;
  const doors = new PlainDoors(plainListener(options, PLAIN_LIMITS));
  const bootPlane = { answer: answerBoot, stream: bootFiles(services) };
  const boot = boot_listen ? await doors.enter(bootPlane, boot_listen) : null;
  const bootListeners = new ManifestListeners({
    services,
    name: 'boot listener',
    path: BOOT_MANIFEST,
    read: async (host) => (await readBootManifest(host))?.manifest.listeners ?? [],
    start: (listen) => doors.enter(bootPlane, listen),
  });
  const portalListeners = new ManifestListeners({
    services,
    name: 'portal listener',
    path: PORTAL_MANIFEST,
    read: async (host) => (await readPortalManifest(host))?.manifest.listeners ?? [],
    looked: portal.lookAfterSigners,
    start: (listen) => doors.enter(portal, listen),
  });
  if (services.host.enforces) await portalListeners.start();
  if (!boot && services.host.enforces) await bootListeners.start();
  return {
    boot: boot?.address ?? bootListeners.addresses[0] ?? null,
    stop: (grace: number) =>
      Promise.all([bootListeners.stop(grace), portalListeners.stop(grace), ...(boot ? [boot.stop(grace)] : [])]),
  };
}

/** What does here what was applied for it, each by its manifest. A host that enforces nothing has nothing to follow. */
async function startFollowing(options: ApplianceOptions, doors: TlsDoors) {
  const { services } = options;
  const depot = new DepotListeners({ services, doors, instead: options.depot_listen ?? null });
  const directory = new DirectoryFollower(services);
  const kms = new KmsListeners(services, options.kms_times);
  const oidc = new OidcListeners({ services, assets: options.assets, doors });
  if (options.depot_listen || services.host.enforces) depot.start();
  if (services.host.enforces) {
    directory.start();
    await Promise.all([kms.start(), oidc.start()]);
  }
  const stopFollowing = () =>
    Promise.all([depot.stop(STOP_GRACE), directory.stop(), kms.stop(STOP_GRACE), oidc.stop(STOP_GRACE)]);
  return { depot, kms, stopFollowing };
}

export async function startAppliance(options: ApplianceOptions): Promise<Appliance> {
  const { services } = options;
  services.traffic ??= new Traffic();
  await warnOfLostValues(services);
  await services.store.write(releaseRequests);
  const planes = planesOf(options);
  offerDocument(services, planes);
  const runner = new JobRunner(services, JOB_KINDS);
  const stream = new EventStream(services);
  let followed: FollowingListener | null = null;
  services.notify = (topic) => {
    if (topic === 'jobs') followed?.look();
    if (topic !== 'pending') runner.wake();
    if (topic !== 'queue') stream.publish(topic);
  };
  const ticker = new Ticker(services, options.scheduled ?? scheduled);
  const terminal = new TerminalDoor(services, options.terminal_times);
  const shown = await startPages(options, planes, { stream, terminal });
  followed = shown.followed;
  const plain = await startPlain(options, planes);
  const { depot, kms, stopFollowing } = await startFollowing(options, shown.doors);
  ticker.start();
  runner.wake();
  return {
    services,
    runner,
    management: shown.management.address,
    public: shown.outside?.address ?? null,
    boot: plain.boot,
    get depot() {
      return depot.addresses;
    },
    followDepot: () => depot.look(),
    renewDepot: () => depot.renew(),
    get kms() {
      return kms.addresses;
    },
    answer: planes.answer,
    answerPortal: planes.portal.answer,
    answerBoot: planes.answerBoot,
    async stop() {
      stream.close();
      // All at once: whatever one of them waits for, nobody new comes in meanwhile.
      await Promise.all([
        within(terminal.stop(), TERMINALS_GRACE),
        ticker.stop(),
        plain.stop(STOP_GRACE),
        stopFollowing(),
        shown.management.stop(STOP_GRACE),
        shown.outside?.stop(STOP_GRACE),
        shown.certificate?.stop(),
      ]);
      await runner.stop();
      // What a receiver has just taken is not sent again; one that hangs is not waited for.
      await within(deliveriesSettled(services), ALERTS_GRACE);
      await services.lastUse.flush(services.store).catch(() => undefined);
      await services.store.close();
    },
  };
}

/**
 * Plain HTTP whatever the others speak, without assets, and with one answer to all that is refused. It answers to
 * every name: no browser with a foreign page asks here, and what a machine may have depends on its applied listener.
 */
function plainListener(
  { services }: ApplianceOptions,
  limits: NonNullable<ListenerOptions['limits']>,
): Omit<ListenerOptions, 'listen' | 'answer' | 'stream'> {
  const assets = { manifest: {}, serve: () => false };
  return {
    tls: null,
    services,
    assets,
    refusal,
    limits,
  };
}
