// Asks the real programs what they say of files, without a start of Node's own for each question: one shell in a network
// namespace runs them all.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { RenderedFile } from '../../shared/ground/machine/host.ts';
import {
  DHCP_HOSTS_FILE,
  DHCP_OPTIONS_FILE,
  CONF_FILE as DNSMASQ_CONF,
  SERVERS_FILE,
} from '../../shared/services/dns-dhcp/files.ts';
import { RULES_FILE } from '../../shared/services/firewall/render.ts';
import { CONF_FILE as CHRONY_CONF, CLIENTS_FILE, LOCAL_FILE, SOURCES_FILE } from '../../shared/services/ntp/files.ts';

/** Lines of a file that only a running dnsmasq reads, as directives. */
const directives =
  (directive: string) =>
  (content: string): string =>
    content.replaceAll(/^(?!#|$)/gm, `${directive}=`).replaceAll(/^#.*\n/gm, '');

/** Path on the appliance → the program that reads it, and what it is to read. */
const CHECKS: Readonly<Record<string, { command: string; turned?: (content: string) => string }>> = {
  [DNSMASQ_CONF]: { command: 'dnsmasq --test -C' },
  [SERVERS_FILE]: { command: 'dnsmasq --test -C' },
  [DHCP_HOSTS_FILE]: { command: 'dnsmasq --test -C', turned: directives('dhcp-host') },
  [DHCP_OPTIONS_FILE]: { command: 'dnsmasq --test -C', turned: directives('dhcp-option') },
  [RULES_FILE]: { command: 'nft -c -f' },
  [CHRONY_CONF]: { command: 'chronyd -p -f' },
  [CLIENTS_FILE]: { command: 'chronyd -p -f' },
  [LOCAL_FILE]: { command: 'chronyd -p -f' },
  [SOURCES_FILE]: { command: 'chronyd -p -f' },
};

export class Programs {
  readonly #folder: string;
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(namespace: string, folder: string) {
    this.#folder = folder;
    this.#shell = spawn('ip', ['netns', 'exec', namespace, 'sh'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#shell.stdout })[Symbol.asyncIterator]();
  }

  /** What the first program says that refuses one of the files; null when none does. */
  async refuse(files: readonly RenderedFile[]): Promise<string | null> {
    // What is said goes past the shell: it may hold anything that was typed.
    const said = join(this.#folder, 'said');
    for (const { path, content } of files) {
      const check = CHECKS[path];
      if (!check) continue;
      const place = join(this.#folder, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, check.turned?.(content) ?? content);
      this.#shell.stdin.write(`${check.command} ${place} >${said} 2>&1; echo $?\n`);
      const { value: code = 'the shell has ended' } = await this.#lines.next();
      if (code !== '0') return `${path}: ${readFileSync(said, 'utf8').trim() || code}`;
    }
    return null;
  }

  end(): void {
    this.#shell.stdin.end();
  }
}
