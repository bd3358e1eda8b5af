// Which names in the Host header are the appliance's own. With DNS rebinding, the name of a foreign page points here:
// the page then shares this origin, could read what needs no login, and could try passwords from inside. An IP address
// can't be rebound, so every address passes, and a name has to be known. Nobody is locked out, since the address always
// works.
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Services } from '../shared/kernel/operation/services.ts';
import { isSavedName } from '../shared/services/dns-dhcp/dns/own-names.ts';
import { hostNamed } from './host-named.ts';
import { exactNames } from './management-names.ts';

export { hostNamed };

/** Milliseconds for which known names are cached, and how many. */
const KEPT_MS = 60_000;
const MOST_KEPT = 64;

export interface OwnNamesOptions {
  services: Pick<Services, 'settings' | 'store'>;
  /** PEM of the certificate that the listeners show now: the operator uses the names in it. */
  certificate(): string | null;
  /** Reads a file of the machine; empty text when there is none. */
  read?(path: string): Promise<string>;
}

export class OwnNames {
  readonly #services: OwnNamesOptions['services'];
  readonly #shown: () => string | null;
  #certificate: { pem: string; names: ReadonlySet<string> } | null = null;
  readonly #read: (path: string) => Promise<string>;
  readonly #always: ReadonlySet<string>;
  readonly #kept = new Map<string, number>();

  constructor({ services, certificate, read }: OwnNamesOptions) {
    this.#services = services;
    this.#shown = certificate;
    this.#read = read ?? ((path) => readFile(path, 'utf8').catch(() => ''));
    const { hostname, base_url } = services.settings;
    const configured = URL.canParse(base_url) ? new URL(base_url).hostname : '';
    this.#always = new Set(
      ['localhost', hostname, hostname.split('.', 1)[0]!, configured].map(hostNamed).filter(Boolean),
    );
  }

  /** @param arrived the appliance's end of the connection */
  has(header: string, arrived: string): boolean | Promise<boolean> {
    const host = hostNamed(header);
    if (isIP(host) !== 0 || this.#always.has(host) || host.endsWith('.localhost')) return true;
    if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host) || host.length > 253) return false;
    if (this.#isCertified(host)) return true;
    const kept = this.#kept.get(host);
    if (kept !== undefined && performance.now() - kept < KEPT_MS) return true;
    return this.#isSaidSomewhere(host, arrived);
  }

  /** By its whole name: with `*.lab.example` each machine of the lab could be made to lead here. */
  #isCertified(host: string): boolean {
    const pem = this.#shown();
    if (pem === null) return false;
    if (this.#certificate?.pem !== pem) this.#certificate = { pem, names: new Set(exactNames(pem)) };
    return this.#certificate.names.has(host);
  }

  async #isSaidSomewhere(host: string, arrived: string): Promise<boolean> {
    const { management_tls, management_port } = this.#services.settings;
    const shared = management_tls ? management_port : null;
    const said = (await this.#isOfMachine(host)) || (await isSavedName(this.#services.store, host, arrived, shared));
    this.#kept.delete(host);
    if (said) this.#kept.set(host, performance.now());
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return said;
  }

  /** What the machine calls itself: other names of its host name in /etc/hosts, and that name in its search domains. */
  async #isOfMachine(host: string): Promise<boolean> {
    const words = async (path: string) =>
      (await this.#read(path)).split('\n').map((line) => line.toLowerCase().replace(/#.*/, '').trim().split(/\s+/));
    const own = this.#services.settings.hostname.toLowerCase();
    const named = (await words('/etc/hosts')).filter((line) => line.slice(1).includes(own));
    if (named.some((line) => line.slice(1).includes(host))) return true;
    const searched = (await words('/etc/resolv.conf')).filter(([key]) => key === 'search' || key === 'domain');
    return searched.some((line) =>
      line.slice(1).some((domain) => host === `${own.split('.', 1)[0]}.${hostNamed(domain)}`),
    );
  }
}
