// The offline depot as an appliance on the wire for data sees it, which has nothing but its login and the root certificate, and asks
// with curl; and as the operator sets it up and fills it.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { DEPOT_STORE, MANIFEST_PATH, SDDC_MANAGER_FOLDER } from '../../shared/services/offline-depot/manifest.ts';
import type { ApplianceLab } from './lab.ts';
import { type Machine, pause } from './machine.ts';
import type { Operator } from './operator.ts';

const SERVICES = '/api/v1/private-cloud-services';
const HOSTNAME = 'depot.lab.example';
const USER = { name: 'vcf', password: randomBytes(15).toString('base64url') };
const FILE = 'VCF-SDDC-Manager-Appliance-9.0.1.0.24962180.ova';
const PATH = `${SDDC_MANAGER_FOLDER}/${FILE}`;
/** Two pieces, the second of them odd. */
const BYTES = randomBytes(700_001);
const PIECE = 400_000;
/** What curl says when nothing came back in time: somebody threw its packets away. */
const SILENCE = 28;

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Fetched {
  /** Exit code of curl: 0 when there was an answer. */
  code: number | null;
  status: number;
  head: string;
  body: Buffer;
  said: string;
}

export class DepotClient {
  readonly #folder = mkdtempSync(join(tmpdir(), 'groundcrew-depot-'));
  readonly #lab: ApplianceLab;
  readonly #operator: Operator;
  readonly #interface: string;
  /** Of the appliance on that interface. */
  readonly #address: string;

  /** `address` of the appliance on the interface that the depot answers on. */
  constructor(lab: ApplianceLab, operator: Operator, on: { interface: string; address: string }) {
    this.#lab = lab;
    this.#operator = operator;
    this.#interface = on.interface;
    this.#address = on.address;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Everything up to the review. The root has a key that software emulation makes quickly. */
  async setUp(port: number): Promise<void> {
    const custody = { enabled: true, key_algorithm: 'ecdsa-p256' };
    await this.#operator.expect('PATCH', '/api/v1/certificate-authority/settings', custody);
    const { pem } = await this.#operator.expect('POST', '/api/v1/certificate-authority/root');
    writeFileSync(join(this.#folder, 'root.pem'), pem);
    await this.#operator.expect('POST', `${SERVICES}/http-users`, USER);
    await this.#operator.expect('POST', `${SERVICES}/software-depot-id`, {});
    const link = { ipv4_cidr: `${this.#address}/24`, role: 'access', enabled: true };
    await this.#operator.expect('PATCH', `/api/v1/interfaces/physical/${this.#interface}`, link);
    const listens = { listen_interfaces: [this.#interface], port };
    const settings = { enabled: true, hostname: HOSTNAME, http_user: USER.name, ...listens };
    await this.#operator.expect('PATCH', `${SERVICES}/settings`, settings);
  }

  /** Saves another port. */
  move(port: number): Promise<unknown> {
    return this.#operator.expect('PATCH', `${SERVICES}/settings`, { port });
  }

  /** A file comes over the API, and the appliance takes it. */
  async serves(port: number, inside: Machine): Promise<void> {
    await this.#upload();
    expect(await this.#operator.expect('GET', `${SERVICES}/status`)).toMatchObject({
      missing: [],
      endpoint: { url: `https://${HOSTNAME}:${port}`, address: this.#address, username: USER.name },
    });
    const refused = this.#ask(port);
    expect(refused).toMatchObject({ code: 0, status: 401, head: expect.stringMatching(/^www-authenticate: Basic /im) });
    const stranger = this.#ask(port, '--user', `${USER.name}:not the password`);
    expect(stranger).toMatchObject({ code: 0, status: 401 });
    const head = this.#ask(port, ...LOGIN, '--head');
    expect(head).toMatchObject({ code: 0, status: 200 });
    expect(head.head).toMatch(new RegExp(`^content-length: ${BYTES.length}\r$`, 'im'));
    const range = this.#ask(port, ...LOGIN, '--range', '399990-400009');
    expect(range).toMatchObject({ code: 0, status: 206 });
    expect(range.body.equals(BYTES.subarray(399_990, 400_010))).toBe(true);
    await this.answers(port);
    await this.#isFenced(port, inside);
  }

  /** The whole file comes, as it was sent. Waits for a listener that was told to move. */
  async answers(port: number, limit = 300_000): Promise<void> {
    const until = performance.now() + limit;
    for (;;) {
      const whole = this.#ask(port, ...LOGIN);
      if (whole.status === 200 || performance.now() > until) {
        expect({ ...whole, body: sha256Of(whole.body) }).toMatchObject({ code: 0, status: 200, body: sha256Of(BYTES) });
        return;
      }
      await pause(250);
    }
  }

  /** Nobody answers there; what the packet filter throws away is not even refused. */
  isSilent(port: number): void {
    expect([port, this.#ask(port, '--connect-timeout', '1').code]).toEqual([port, SILENCE]);
  }

  async #upload(): Promise<void> {
    const announced = { name: FILE, size_bytes: BYTES.length, sha256: sha256Of(BYTES) };
    const { upload_id } = await this.#operator.expect('POST', `${SERVICES}/uploads`, announced);
    const path = `${SERVICES}/uploads/${upload_id}`;
    for (let at = 0; at < BYTES.length; at += PIECE)
      await this.#operator.octets('PUT', `${path}/content?offset=${at}`, BYTES.subarray(at, at + PIECE));
    await this.#operator.expect('POST', `${path}/complete`, {});
    for (let tries = 0; tries < 1000; tries += 1, await pause(300)) {
      const { state, fault } = await this.#operator.expect('GET', path);
      if (state === 'done') return;
      if (fault !== null) throw new Error(`the upload failed: ${fault}`);
    }
    throw new Error('the upload does not end');
  }

  /** Who may read and write what, and what the packet filter has for it. */
  async #isFenced(port: number, inside: Machine): Promise<void> {
    const listening = await inside.inside(`ss -Hltn 'sport = :${port}'`);
    expect(listening.split('\n')).toEqual([expect.stringMatching(` ${this.#address.replaceAll('.', '\\.')}:${port} `)]);
    const places = [MANIFEST_PATH, DEPOT_STORE, `${DEPOT_STORE}/.uploads`, `${DEPOT_STORE}/${PATH}`];
    const nobody = 'setpriv --reuid=nobody --regid=nogroup --clear-groups';
    const seen = await inside.inside(`stat -c '%a %U:%G' ${places.join(' ')}; ${nobody} cat ${MANIFEST_PATH}`);
    expect(seen.split('\n')).toEqual([
      '640 root:groundcrew',
      '755 groundcrew:groundcrew',
      '700 groundcrew:groundcrew',
      '644 groundcrew:groundcrew',
      expect.stringContaining('Permission denied'),
    ]);
    const { in_force, rules } = await this.#operator.expect('GET', '/api/v1/firewall/status');
    const opened = rules.filter(({ key }: { key: string }) => key.startsWith('private-cloud-services '));
    expect(in_force).toBe(true);
    expect(opened).toEqual([
      expect.objectContaining({ match: `iifname "${this.#interface}" tcp dport ${port}`, verdict: 'accept' }),
    ]);
    expect(opened[0].packets).toBeGreaterThan(0);
    this.isSilent(port + 1);
  }

  #ask(port: number, ...options: string[]): Fetched {
    const [body, head] = [join(this.#folder, 'body'), join(this.#folder, 'head')];
    for (const path of [body, head]) writeFileSync(path, '');
    const patience = ['--connect-timeout', '30', '--max-time', '120'];
    const trust = ['--cacert', join(this.#folder, 'root.pem'), '--resolve', `${HOSTNAME}:${port}:${this.#address}`];
    const files = ['--silent', '--show-error', '--output', body, '--dump-header', head, '--write-out', '%{http_code}'];
    const url = `https://${HOSTNAME}:${port}/${PATH}`;
    const program = ['curl', '--noproxy', '*', ...patience, ...trust, ...files, ...options, url];
    const ran = spawnSync('ip', ['netns', 'exec', this.#lab.namespace, ...program], { encoding: 'utf8' });
    return {
      code: ran.status,
      status: Number(ran.stdout),
      head: readFileSync(head, 'utf8'),
      body: readFileSync(body),
      said: ran.stderr.trim(),
    };
  }
}

const LOGIN = ['--user', `${USER.name}:${USER.password}`];
