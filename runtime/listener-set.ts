// Several sockets with one port, each on its own address. They are opened and closed one by one, so that a change of
// one address does not affect the others.
import type { Listener, Sharing } from './listener.ts';

/** Every address there is, in both families; a socket for IPv6 that takes IPv4 too would hide which one answers. */
export const EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];
/** What the machine itself uses: a tunnel, a proxy, the console. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

export const sharing = (host: string): Sharing => ({ reusePort: true, ipv6Only: host.includes(':') });

export class ListenerSet {
  readonly #start: (host: string) => Promise<Listener>;
  readonly #open = new Map<string, Listener>();
  readonly #ending = new Set<Promise<void>>();

  constructor(start: (host: string) => Promise<Listener>) {
    this.#start = start;
  }

  get hosts(): string[] {
    return [...this.#open.keys()];
  }

  has(host: string): boolean {
    return this.#open.has(host);
  }

  /** The port that all share; undefined while nothing is open. */
  get port(): number | undefined {
    return this.#open.values().next().value?.address.port;
  }

  /** Opens those that are not open yet; answers the error of each that could not be opened. */
  async open(hosts: readonly string[]): Promise<Map<string, NodeJS.ErrnoException>> {
    const faults = new Map<string, NodeJS.ErrnoException>();
    for (const host of new Set(hosts)) {
      if (this.#open.has(host)) continue;
      try {
        this.#open.set(host, await this.#start(host));
      } catch (error) {
        faults.set(host, error as NodeJS.ErrnoException);
      }
    }
    return faults;
  }

  /** Closes these at once; requests that run there get `grace` ms, which nobody has to wait for. */
  close(hosts: readonly string[], grace: number): void {
    for (const host of hosts) {
      const listener = this.#open.get(host);
      if (!listener) continue;
      this.#open.delete(host);
      const ended = listener.stop(grace).finally(() => this.#ending.delete(ended));
      this.#ending.add(ended);
    }
  }

  /** Closes all and waits for their requests. */
  async stop(grace: number): Promise<void> {
    this.close(this.hosts, grace);
    await Promise.all(this.#ending);
  }
}
