// The management listener of an appliance: everywhere until its network was applied for the first time, so that a first
// operator gets in; from then on exactly at the effective management UI listeners in force, and on loopback.
import { readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '../shared/kernel/operation/services.ts';
import { waitingEverywhere } from './accept-queue.ts';
import type { ListenAddress } from './config.ts';
import type { Listener, Sharing } from './listener.ts';
import { EVERYWHERE, ListenerSet, LOOPBACK, sharing } from './listener-set.ts';

/** Milliseconds. */
export interface Pace {
  /** Between two looks while an address is missing: IPv6 takes a second to find out that nobody else has it. */
  retry: number;
  /** Between two looks otherwise, for addresses that the network gives. */
  every: number;
  /**
   * How long nobody may be able to come in from outside before all addresses are opened; and when a missing one is told
   * of.
   */
  patience: number;
  /** Between the last socket that is opened and the first that is closed where both take the same connections. */
  settle: number;
  /** What running requests get when their address closes, and those before it who wait to be let in. */
  grace: number;
}

/** Milliseconds between two looks at who waits. */
const TAKEN_EVERY = 10;

const PACE: Pace = { retry: 500, every: 10_000, patience: 10_000, settle: 250, grace: 5_000 };

export interface FollowOptions {
  listen: ListenAddress;
  /** Addresses in force; null: everywhere. */
  addresses(): Promise<string[] | null>;
  start(listen: ListenAddress, sharing: Sharing): Promise<Listener>;
  logger: Pick<Services['logger'], 'info' | 'warn' | 'error'>;
  pace?: Partial<Pace>;
}

export interface FollowingListener extends Listener {
  /** An apply or a rollback may have happened. */
  look(): void;
  /** Where it listens now. */
  hosts(): string[];
}

/** Whether a management listener follows: asked for on all addresses, where an apply really changes them. */
export async function follows(listen: ListenAddress, { host }: Services): Promise<boolean> {
  if (!EVERYWHERE.includes(listen.host) || !host.enforces) return false;
  if (host.kind !== 'namespace') return true;
  // A service that stands outside of the namespace that it configures has none of its addresses.
  const [ours, theirs] = [await readlink('/proc/self/ns/net'), await host.exec('readlink', ['/proc/self/ns/net'])];
  return theirs.stdout.trim() === ours;
}

/** @throws Error (EADDRINUSE…) when nothing can be opened, or another program has the port. */
export async function followApplied(options: FollowOptions): Promise<FollowingListener> {
  const followed = new Followed(options);
  await refuseTaken(options.listen);
  await followed.begin();
  return followed;
}

class Followed implements FollowingListener {
  readonly #options: FollowOptions;
  readonly #pace: Pace;
  readonly #set: ListenerSet;
  #port: number;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** Since when no address is reachable from outside; null: one is. */
  #cutOffSince: number | null = null;
  /** Address → since when it can't be opened, and whether that was logged. */
  readonly #missing = new Map<string, { since: number; told: boolean }>();
  #shown = '';
  #unreadable = '';
  /** Why the last socket that failed did. */
  #fault: Error | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#pace = { ...PACE, ...options.pace };
    this.#port = options.listen.port;
    this.#set = new ListenerSet(async (host) => {
      try {
        const listener = await options.start({ host, port: this.#port }, sharing(host));
        this.#port = listener.address.port;
        return listener;
      } catch (error) {
        this.#fault = error as Error;
        throw error;
      }
    });
  }

  get address(): ListenAddress {
    return { host: this.#options.listen.host, port: this.#port };
  }

  hosts(): string[] {
    return this.#set.hosts;
  }

  async begin(): Promise<void> {
    this.look();
    await this.#running;
    if (this.#set.hosts.length > 0) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    throw this.#fault ?? new Error('no address can be listened at');
  }

  look(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#lookOn().finally(() => {
      this.#running = null;
    });
  }

  async stop(grace: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#set.stop(grace);
  }

  async #lookOn(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      clearTimeout(this.#timer);
      const whole = await this.#follow();
      this.#show();
      clearTimeout(this.#timer);
      if (!this.#stopped) this.#timer = setTimeout(() => this.look(), whole ? this.#pace.every : this.#pace.retry);
    }
  }

  /** New sockets first, then the old ones close. Answers whether everything is as it should be. */
  async #follow(): Promise<boolean> {
    const wanted = await this.#wanted();
    if (wanted === 'unknown') return false;
    if (wanted === null) return this.#everywhere();
    const hosts = [...LOOPBACK, ...wanted];
    const faults = await this.#set.open(hosts);
    this.#note(faults, wanted);
    const reachable = wanted.some((host) => this.#set.has(host));
    if (reachable) this.#cutOffSince = null;
    // An old address stays open until there is a new one.
    else if (!(await this.#cutOff(wanted))) return false;
    await this.#closeOthers(reachable ? hosts : [...hosts, ...EVERYWHERE]);
    return wanted.every((host) => this.#set.has(host));
  }

  /** `unknown` when the state can't be read: then everything stays as it is. */
  async #wanted(): Promise<string[] | null | 'unknown'> {
    try {
      const addresses = await this.#options.addresses();
      this.#unreadable = '';
      return addresses;
    } catch (error) {
      const { message } = error as Error;
      if (this.#unreadable !== message)
        this.#options.logger.error('the management listeners in force can not be read', { failure: { message } });
      this.#unreadable = message;
      return this.#set.hosts.length > 0 ? 'unknown' : null;
    }
  }

  async #everywhere(): Promise<boolean> {
    const { listen } = this.#options;
    const hosts = listen.host === '::' ? EVERYWHERE : [listen.host];
    await this.#set.open(hosts);
    this.#cutOffSince = null;
    this.#missing.clear();
    const open = hosts.some((host) => this.#set.has(host));
    if (open) await this.#closeOthers(hosts);
    return open;
  }

  /** Answers true once all addresses were opened, because none of those in force can be. */
  async #cutOff(wanted: readonly string[]): Promise<boolean> {
    const now = performance.now();
    this.#cutOffSince ??= now;
    if (EVERYWHERE.some((host) => this.#set.has(host))) return true;
    if (this.#set.hosts.length > 0 && now - this.#cutOffSince < this.#pace.patience) return false;
    const faults = await this.#set.open(EVERYWHERE);
    const open = faults.size < EVERYWHERE.length;
    if (open)
      this.#options.logger.warn('no management address in force can be listened at; all addresses are opened', {
        addresses: wanted,
        opened: EVERYWHERE.filter((host) => this.#set.has(host)),
      });
    return open;
  }

  async #closeOthers(hosts: readonly string[]): Promise<void> {
    const others = this.#set.hosts.filter((host) => !hosts.includes(host));
    // What is on its way to a socket on all addresses is taken by it; new connections go to the closer one by now.
    if (others.some((host) => EVERYWHERE.includes(host))) {
      await pause(this.#pace.settle);
      await this.#taken();
    }
    this.#set.close(others, this.#pace.grace);
  }

  /** Waits until nobody waits at a socket on all addresses: a busy service takes one connection at a time. */
  async #taken(): Promise<void> {
    const until = performance.now() + this.#pace.grace;
    while ((await waitingEverywhere(this.#port)) > 0 && performance.now() < until) await pause(TAKEN_EVERY);
  }

  /** One line for an address that stays away; none for the second in which it is being made. */
  #note(faults: ReadonlyMap<string, NodeJS.ErrnoException>, wanted: readonly string[]): void {
    const now = performance.now();
    for (const host of this.#missing.keys()) if (!faults.has(host)) this.#missing.delete(host);
    for (const [host, error] of faults) {
      // A machine without IPv6 has no ::1.
      if (!wanted.includes(host)) continue;
      const known = this.#missing.get(host) ?? { since: now, told: false };
      this.#missing.set(host, known);
      if (known.told || now - known.since < this.#pace.patience) continue;
      known.told = true;
      this.#options.logger.warn('a management address can not be listened at; it is tried again and again', {
        address: host,
        code: error.code ?? error.message,
      });
    }
  }

  #show(): void {
    const addresses = this.#set.hosts.sort();
    if (addresses.join() === this.#shown) return;
    this.#shown = addresses.join();
    this.#options.logger.info('management listeners', { addresses, port: this.#port });
  }
}

/**
 * Sockets that share a port would share it with another process of the same user too: two services started by mistake
 * would answer in turns. So the port has to be free for one that does not share.
 */
async function refuseTaken({ host, port }: ListenAddress): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: false, exclusive: true }, resolve);
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
