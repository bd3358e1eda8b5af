// A whole appliance in this process whose host is a network namespace, with a directory for a client in another one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { createRoot, rootCertificate } from '../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../shared/platform/certificate-authority/issue.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { type Credentials, House, type HouseOptions } from '../setup/house.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

export const ADDRESS = '10.88.0.1';
/** Of the client. */
export const CLIENT = '10.88.0.2';
export const NAME = 'ldap.lab.test';

export interface Ran {
  code: number;
  out: string;
  said: string;
}

export class Directory {
  readonly lab: Lab;
  readonly folder: string;
  readonly host: Host;
  readonly house: House;
  readonly admin: Credentials;
  readonly logged: string[];

  private constructor(all: Pick<Directory, 'lab' | 'folder' | 'host' | 'house' | 'admin' | 'logged'>) {
    this.lab = all.lab;
    this.folder = all.folder;
    this.host = all.host;
    this.house = all.house;
    this.admin = all.admin;
    this.logged = all.logged;
  }

  /** `empty`: nothing is saved but what an appliance begins with. `observe`: hears each statement. */
  static async open(empty = false, observe?: HouseOptions['observe']): Promise<Directory> {
    const lab = makeLab('ldap');
    const folder = mkdtempSync(join(tmpdir(), 'gct-ldap-'));
    const logged: string[] = [];
    const host = await namespaceHost(lab.appliance, join(folder, 'h'));
    const data = mkdtempSync(join(folder, 'data-'));
    // The driver opens private keys with the keys of the service's own data folder.
    const real = await namespaceHost(lab.appliance, data);
    const house = await House.open({
      data,
      fresh: true,
      host: () => ({ ...real }),
      links: await host.links(),
      log: (line) => logged.push(line),
      ...(observe && { observe }),
    });
    const directory = new Directory({ lab, folder, host: real, house, admin: await house.actor('admin'), logged });
    if (!empty) await directory.begin();
    return directory;
  }

  async begin(): Promise<void> {
    await this.api('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: `${ADDRESS}/24`, enabled: true });
    await this.api('PATCH', 'certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
    await this.house.services.store.write((tx) => createRoot(tx, this.house.services, 'test'));
    await this.trustRoot();
  }

  /** What clients trust from now on. */
  async trustRoot(): Promise<void> {
    const { pem } = (await rootCertificate(this.house.services.store))!;
    writeFileSync(this.path('root.pem'), pem);
  }

  async close(): Promise<void> {
    await this.house?.close();
    this.lab.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async api(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.house.send(method, `/api/v1/${path}`, { token: this.admin.token, body });
    if (answer.status >= 300) {
      const told = this.logged.filter((line) => line.includes('"error"')).join('\n');
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}\n${told}`);
    }
    return answer.body;
  }

  /** As the operation that makes plans does it before. */
  async certify(): Promise<void> {
    const { services } = this.house;
    const wanted = await ldapUnit.certificate!(services.store);
    if (wanted) await ensureServerCertificate(services, wanted);
  }

  /** Reviews, submits and waits; answers how it ended and what was said of the directory. */
  async apply() {
    const { services, appliance } = this.house;
    await this.certify();
    const wish = { units: ['ldap' as const], reapply: true };
    const prepared = await preparePlan(services, [networkUnit, ldapUnit], 'test', wish);
    const { id, digest, units } = prepared.plan;
    await services.store.write((tx) => storePlan(tx, prepared));
    const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
    services.notify('queue');
    await appliance.runner.idle();
    const job = await findJob(services.store, job_id!);
    const log = job.tasks.find(({ name }) => name === 'ldap')?.log.map(({ text }) => text) ?? [];
    return { state: job.state, log: log.join('\n'), unit: units.find((unit) => unit.id === 'ldap') };
  }

  /** One of OpenLDAP's programs in the client's namespace, which trusts `ca` alone. */
  client(program: string, args: readonly string[], ca = this.path('root.pem')): Ran {
    return this.#inClient(program, ['-o', 'nettimeout=10', ...args], { LDAPTLS_CACERT: ca, LDAPTLS_REQCERT: 'demand' });
  }

  /** What `openssl s_client` says of a connection to a port, with this option. */
  hello(port: number, option: string): string {
    const to = ['-connect', `${ADDRESS}:${port}`, '-cipher', 'DEFAULT@SECLEVEL=0'];
    return this.#inClient('openssl', ['s_client', ...to, option]).out;
  }

  #inClient(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
    const ran = spawnSync('ip', ['netns', 'exec', this.lab.client, program, ...args], {
      encoding: 'utf8',
      input: '',
      timeout: 60_000,
      env: { ...process.env, LDAPNOINIT: undefined, ...env },
    });
    return { code: ran.status ?? -1, out: ran.stdout, said: ran.stderr };
  }

  /** Signs in; answers the exit code, which is the result code of LDAP. */
  bind(dn: string, password: string, url = `ldaps://${ADDRESS}`, ...more: string[]): number {
    return this.client('ldapwhoami', ['-x', '-H', url, '-D', dn, '-w', password, ...more]).code;
  }

  /** A client that stays signed in: it waits to be told to read the next page of its search. */
  stays({ dn, password }: { dn: string; password: string }): ChildProcess {
    const env = { ...process.env, LDAPTLS_CACERT: this.path('root.pem'), LDAPTLS_REQCERT: 'demand' };
    const who = ['-x', '-H', `ldaps://${ADDRESS}`, '-D', dn, '-w', password, '-E', 'pr=1/prompt'];
    const base = dn.slice(dn.indexOf(',ou=system,') + ',ou=system,'.length);
    const args = ['netns', 'exec', this.lab.client, 'ldapsearch', ...who, '-b', base];
    return spawn('ip', args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  }

  /** The lines of what was found, without folding. */
  search(as: { dn: string; password: string }, base: string, filter: string, ...attributes: string[]): string[] {
    const who = ['-x', '-H', `ldaps://${ADDRESS}`, '-D', as.dn, '-w', as.password];
    const ran = this.client('ldapsearch', ['-LLL', '-o', 'ldif-wrap=no', ...who, '-b', base, filter, ...attributes]);
    if (ran.code !== 0) return [`code ${ran.code}`];
    return ran.out.split('\n').filter((line) => line !== '');
  }
}
