// A whole appliance in this process, on a data folder of its own, without sockets unless asked for: what handler,
// contract and fault tests talk to. Requests are gateway events; answers are checked for their form on the way out.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Appliance, startAppliance } from '../../runtime/appliance.ts';
import type { Assets } from '../../runtime/assets.ts';
import { operations } from '../../runtime/generated/operations.ts';
import { pages } from '../../runtime/generated/pages.ts';
import { createLogger } from '../../runtime/log.ts';
import type { DoorTimes } from '../../runtime/terminal-door.ts';
import { refusedInWindow } from '../../shared/appliance/apply/window/waiting.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { GUARD } from '../../shared/appliance/host-guard.ts';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import type { Host, ObservedLink } from '../../shared/ground/machine/host.ts';
import { openKeyring } from '../../shared/ground/sealing/keyring.ts';
import { openKeys } from '../../shared/ground/sealing/keys.ts';
import type { Observe } from '../../shared/ground/store/connection.ts';
import { DATABASE_FILE, openStore } from '../../shared/ground/store/open-store.ts';
import type { Store } from '../../shared/ground/store/store.ts';
import { LastUse } from '../../shared/kernel/access/last-use.ts';
import { type Role, type Scope, scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { createToken } from '../../shared/kernel/access/token.ts';
import { createUser, type User } from '../../shared/kernel/access/user.ts';
import { type GatewayAnswer, type GatewayEvent, whole } from '../../shared/kernel/operation/event.ts';
import { LogTail } from '../../shared/kernel/operation/log-tail.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { rehearsalHost } from '../../shared/platform/host/rehearsal.ts';
import { endSignInsAtClients } from '../../shared/services/oidc/sessions/of-user.ts';
import { DocumentCheck } from './document-check.ts';

export const PASSWORD = 'correct horse battery staple';

/**
 * Its hash, made beforehand: at a sixty-fourth of the appliance's own cost, where a check takes a fifth of a second, and at
 * that cost itself, without which an archive's accounts are not taken.
 */
const CHEAP = 'scrypt$1024$8$1$dGVzdHM$QU9Uwz4rcU_gwcWQZmZLSDzor0a50teRixmNJWrQ4Lk';
export const AT_OWN_COST = 'scrypt$65536$8$1$dGVzdHM$p0iTQPNaKmBWASqHCdi1yaaHrzsww3hYJlyYy3Oj3_M';

/** Two NICs: the first has an address and becomes the management interface, the second is unused. */
export const LINKS: ObservedLink[] = [
  link('ens192', '00:50:56:9c:0a:01', ['10.10.0.5/24'], ['fd00:10::5/64']),
  link('ens224', '00:50:56:9c:0a:02', [], []),
  link('ens256', '00:50:56:9c:0a:03', [], []),
];

function link(name: string, mac_address: string, ipv4_cidrs: string[], ipv6_cidrs: string[]): ObservedLink {
  return {
    name,
    mac_address,
    driver: 'vmxnet3',
    speed_mbps: 10_000,
    mtu: 1500,
    link: 'up',
    ipv4_cidrs,
    ipv6_cidrs,
    vlan: null,
  };
}

export interface HouseOptions {
  observe?: Observe;
  /** Replaces or wraps the rehearsal host. */
  host?: (rehearsal: Host) => Host;
  services?: Partial<Services>;
  links?: ObservedLink[];
  /** Keep the folder of an earlier house: a restart. */
  data?: string;
  /** `data` is empty: a first start there. */
  fresh?: boolean;
  log?: (line: string) => void;
  /** Paths of a certificate and its key: both listeners speak TLS. */
  tls?: { cert: string; key: string };
  /** The offline depot answers on a port of 127.0.0.1 once it is applied: `house.appliance.depot`. After a restart the same. */
  depot?: true | { port: number };
  /** False: nothing is started by the clock, for tests that count statements or set the clock. */
  ticker?: false;
  /** Other times for terminals. */
  terminal_times?: DoorTimes;
  /** The built assets, for tests with a browser. */
  assets?: Assets;
  /** Passwords have the appliance's own cost, for tests whose accounts travel in an archive. */
  accounts_travel?: true;
}

export interface Credentials {
  user: User;
  token: string;
  token_id: string;
  cookie: string;
  csrf: string;
}

export interface Send {
  token?: string;
  /** Sends the session's cookie, CSRF token and Origin, as its browser would. */
  session?: Pick<Credentials, 'cookie' | 'csrf'>;
  body?: unknown;
  form?: Record<string, string | string[]>;
  headers?: Record<string, string>;
  raw?: string;
  /** The two ends of the connection and for how long it has been open, milliseconds; default: nothing but 127.0.0.1. */
  over?: { local: string; remote: string; open_ms?: number };
}

export interface Heard {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export class House {
  readonly appliance: Appliance;
  readonly data: string;
  /** Every answer given so far, for checks over a whole run. */
  readonly heard: { method: string; path: string; answer: GatewayAnswer }[] = [];

  /** Holds every answer against the OpenAPI document and the problem format. */
  readonly check: DocumentCheck;
  readonly #password_hash: string;

  private constructor(appliance: Appliance, data: string, check: DocumentCheck, password_hash: string) {
    this.appliance = appliance;
    this.data = data;
    this.check = check;
    this.#password_hash = password_hash;
  }

  static async open(options: HouseOptions = {}): Promise<House> {
    const fresh = options.fresh ?? options.data === undefined;
    const data = options.data ?? (await mkdtemp(join(tmpdir(), 'groundcrew-test-')));
    const empty = fresh ? await emptyDatabase() : null;
    if (empty) await copyFile(empty, join(data, DATABASE_FILE));
    const store = await openStore(data, options.observe);
    // The links of the test, not those of the machine that it runs on.
    const rehearsal: Host = { ...rehearsalHost(data, GUARD), links: async () => options.links ?? LINKS };
    const check = new DocumentCheck([...operations, ...pages]);
    const services: Services = {
      settings: {
        data,
        base_url: '',
        hostname: 'gc01.lab.example',
        version: '0.0.0-test',
        management_port: 8080,
        public_listen: null,
        ...(typeof options.depot === 'object' && { depot_listen: { host: '127.0.0.1', ...options.depot } }),
        assets: options.assets?.manifest ?? {},
      },
      store,
      keys: await openKeys(data, systemEntropy, !fresh),
      keyring: await openKeyring(data, systemEntropy, false),
      clock: systemClock,
      entropy: systemEntropy,
      host: idleWhileWriting(store, options.host ? options.host(rehearsal) : rehearsal),
      logger: createLogger('DEBUG', 'test'),
      log_tail: new LogTail(systemClock),
      lastUse: new LastUse(),
      endElsewhere: endSignInsAtClients,
      waits: (owner) => refusedInWindow(store, owner),
      notify: () => undefined,
      inspectAnswer: (...seen) => check.answered(...seen),
      ...options.services,
    };
    captureLog(services, options.log);
    if (fresh) await store.write((tx) => refreshInterfaces(tx, services, options.links ?? LINKS));
    const listen = { host: '127.0.0.1', port: 0 };
    const assets = options.assets ?? { manifest: {}, serve: () => false };
    const appliance = await startAppliance({
      services,
      assets,
      listen,
      public_listen: listen,
      ...(options.depot && { depot_listen: { ...listen, ...(options.depot !== true && options.depot) } }),
      tls: options.tls ?? null,
      ...(options.ticker === false && { scheduled: [] }),
      ...(options.terminal_times && { terminal_times: options.terminal_times }),
    });
    return new House(appliance, data, check, options.accounts_travel ? AT_OWN_COST : CHEAP);
  }

  get services(): Services {
    return this.appliance.services;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.appliance.management.port}`;
  }

  /** A user with a token of the given scopes (default: all of the role) and a signed-in session. */
  async actor(
    role: Role = 'admin',
    scopes?: Scope[],
    name: string = `${role}-${randomUUID().slice(0, 13)}`,
  ): Promise<Credentials> {
    const { services } = this;
    const password_hash = this.#password_hash;
    return services.store.write(async (tx) => {
      const user = await createUser(tx, services, { name: name.slice(0, 32), role, password_hash });
      const reach = scopesOfRole(role);
      const wanted = { name: 'test', scopes: scopes ?? [...reach], lifetime: 3600 };
      const { token, secret } = await createToken(
        tx,
        services,
        { user_id: user.id, name: user.name, scopes: reach },
        wanted,
      );
      const { id } = await startSession(tx, services, user.id, '127.0.0.1', null);
      const row = await tx.one<{ csrf_token: string }>('SELECT csrf_token FROM session WHERE user_id = ?', [user.id]);
      return { user, token: secret, token_id: token.id, cookie: `groundcrew_session=${id}`, csrf: row!.csrf_token };
    });
  }

  /** A session of the public pages, of the same user. */
  async guest({ user }: Pick<Credentials, 'user'>): Promise<Pick<Credentials, 'cookie' | 'csrf'>> {
    const { services } = this;
    return services.store.write(async (tx) => {
      const { id } = await startSession(tx, services, user.id, '127.0.0.1', null, 'public');
      const sql = "SELECT csrf_token FROM session WHERE user_id = ? AND plane = 'public' ORDER BY rowid DESC";
      const row = await tx.one<{ csrf_token: string }>(sql, [user.id]);
      return { cookie: `groundcrew_public=${id}`, csrf: row!.csrf_token };
    });
  }

  /** Sends one request as the management listener would hand it on. */
  async send(method: string, target: string, send: Send = {}): Promise<Heard> {
    const event = this.event(method, target, send);
    const answer = await whole(await this.appliance.answer(event));
    this.heard.push({ method, path: target, answer });
    this.check.heard(event, answer);
    this.check.settle();
    const json = /\bjson\b/.test(answer.headers['content-type'] ?? '');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      cookies: answer.cookies ?? [],
      text: answer.body,
      body: json && answer.body !== '' ? JSON.parse(answer.body) : undefined,
    };
  }

  event(method: string, target: string, send: Send = {}): GatewayEvent {
    const [rawPath, rawQueryString = ''] = target.split('?') as [string, string?];
    const headers: Record<string, string> = { host: new URL(this.origin).host };
    let body: string | null = send.raw ?? null;
    if (send.token) headers.authorization = `Bearer ${send.token}`;
    if (send.body !== undefined) {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(send.body);
    }
    if (send.session && method !== 'GET') headers.origin = this.origin;
    if (send.session) headers.accept = 'text/html';
    if (send.form || (send.session && method !== 'GET' && body === null)) {
      headers['content-type'] = 'application/x-www-form-urlencoded';
      const fields = new URLSearchParams(send.session ? { csrf: send.session.csrf } : {});
      for (const [name, value] of Object.entries(send.form ?? {})) {
        for (const each of Array.isArray(value) ? value : [value]) fields.append(name, each);
      }
      body = fields.toString();
    }
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath,
      rawQueryString,
      headers: { ...headers, ...send.headers },
      cookies: send.session ? send.session.cookie.split('; ') : [],
      queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)),
      pathParameters: {},
      requestContext: {
        http: {
          method,
          path: rawPath,
          sourceIp: send.over?.remote ?? '127.0.0.1',
          protocol: 'HTTP/1.1',
          userAgent: 'test',
        },
        requestId: '',
        secure: false,
        ...(send.over && { connection: { local_address: send.over.local, open_ms: send.over.open_ms ?? 0 } }),
      },
      body,
      isBase64Encoded: false,
    };
  }

  /** Actions of the audit events written since `after`, oldest first. */
  async audited(after = 0): Promise<string[]> {
    const rows = await this.services.store.all<{ action: string }>(
      'SELECT action FROM audit_event WHERE seq > ? ORDER BY seq',
      [after],
    );
    return rows.map((row) => row.action);
  }

  async lastAudit(): Promise<number> {
    return (await this.services.store.one<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM audit_event'))!
      .seq;
  }

  /** Stops; removes the data folder unless it is kept for a restart. */
  async close(keep = false): Promise<void> {
    await this.appliance.stop();
    this.check.settle();
    if (!keep) await rm(this.data, { recursive: true, force: true });
  }
}

/**
 * No program of the host runs within a write transaction: it may take seconds, or hang, and every other writer waits. One
 * that is started there fails.
 */
function idleWhileWriting(store: Store, host: Host): Host {
  const writing = new AsyncLocalStorage<boolean>();
  const write = store.write.bind(store);
  store.write = (work, options) => write((tx) => writing.run(true, () => work(tx)), options);
  const exec = host.exec.bind(host);
  host.exec = async (program, ...more) => {
    if (writing.getStore()) throw new Error(`${program} was started within a write transaction`);
    return exec(program, ...more);
  };
  return host;
}

const MIGRATIONS = join(import.meta.dirname, '../../shared/ground/store/migrations');

/**
 * Path of a database that has today's schema and nothing in it; null where the sources of the schema are not at hand. It is
 * made once among the temporary files and named after those sources: migrating takes as long as a short test.
 */
async function emptyDatabase(): Promise<string | null> {
  if (!existsSync(MIGRATIONS)) return null;
  const sources = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) sources.update(readFileSync(join(MIGRATIONS, name)));
  const path = join(tmpdir(), `groundcrew-empty-${sources.digest('hex').slice(0, 16)}.sqlite`);
  if (existsSync(path)) return path;
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-test-'));
  await (await openStore(folder)).close();
  await rename(join(folder, DATABASE_FILE), path); // whole at once: other processes may be looking for it
  await rm(folder, { recursive: true });
  return path;
}

/** Log lines go to the test instead of standard output. */
function captureLog(services: Services, log: ((line: string) => void) | undefined): void {
  for (const level of ['debug', 'info', 'warn', 'error', 'critical'] as const) {
    (services.logger as unknown as Record<string, unknown>)[level] = (message: string, extra?: unknown) =>
      log?.(JSON.stringify({ level, message, extra }));
  }
}
