// A machine is lost, and another one takes its place: a service is started in an empty folder, starts from an archive by its
// page, and is reviewed and applied. Counted in steps of a person and in seconds; then its archive is that of the former one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decryptAge } from '../../shared/ground/age/age.ts';
import { newIdentity } from '../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { until } from '../setup/until.ts';
import { membersOf } from '../shared/appliance/archive/scene.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'ready the ground first';
const VALUE = 'C4nary-Value';
const OWNER = newIdentity(systemEntropy);
const MOST_STEPS = 6;

let folder: string;
const running: Service[] = [];

interface Service {
  child: ChildProcess;
  origin: string;
  data: string;
  /** Both streams, all of it. */
  said(): string;
}

/** The firewall opens the port that the service was told, so it has to be told one. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}

async function startService(name: string, env: Record<string, string> = {}): Promise<Service> {
  const data = join(folder, name);
  const listen = `127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, GROUNDCREW_DATA: data, GROUNDCREW_LISTEN: listen, ...env },
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await until(() => said.includes('"started"'));
  const origin = /"management":"([^"]+)"/.exec(said)![1]!;
  const service = { child, origin, data, said: () => said };
  running.push(service);
  return service;
}

/** The command line beside a service; answers standard output. */
function shell({ data }: Service, words: string[]): Promise<string> {
  const child = spawn(process.execPath, ['dist/groundcrew.js', ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, GROUNDCREW_DATA: data },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((done, fail) =>
    child.on('close', (code) => (code === 0 ? done(out) : fail(new Error(`${words.join(' ')}: ${err}`)))),
  );
}

/** A browser without script, as far as forms need one. */
class Visitor {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  html = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  async open(path: string): Promise<number> {
    return this.#ask(path, { method: 'GET' });
  }

  /** Posts a form of the page that is shown. Answers where it leads. */
  async post(path: string, fields: Record<string, string | Blob>): Promise<string> {
    const csrf = /name="csrf" value="([\w-]+)"/.exec(this.html)![1]!;
    const files = Object.values(fields).some((value) => value instanceof Blob);
    const body = files ? new FormData() : new URLSearchParams();
    for (const [name, value] of Object.entries({ csrf, ...fields })) body.append(name, value as string);
    const status = await this.#ask(path, { method: 'POST', body });
    if (status !== 303) throw new Error(`${path} answered ${status}`);
    return this.#led;
  }

  #led = '';

  async #ask(path: string, init: RequestInit): Promise<number> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { accept: 'text/html', origin: this.#origin, cookie };
    const answer = await fetch(`${this.#origin}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split('=');
      this.#cookies.set(name, value);
    }
    this.#led = answer.headers.get('location') ?? '';
    this.html = await answer.text();
    return answer.status;
  }

  async signIn(username: string, password: string): Promise<string> {
    await this.open('/ui/management/sign-in');
    return this.post('/ui/management/sign-in', { username, password });
  }
}

/** Members of an archive that is made on the shell now. */
async function archived(service: Service): Promise<{ members: Map<string, string>; file: string }> {
  const file = join(folder, `${running.indexOf(service)}-${Date.now()}.gcarchive.age`);
  await shell(service, ['archive', 'create', file, '--recipient', OWNER.recipient]);
  const pieces: Buffer[] = [];
  for await (const piece of decryptAge([readFileSync(file)], { identity: OWNER.identity })) pieces.push(piece);
  return { members: await membersOf(Buffer.concat(pieces)), file };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-start-'));
});
afterAll(async () => {
  for (const { child } of running) {
    const ended = new Promise((done) => child.on('exit', done));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

async function furnish(service: Service): Promise<void> {
  const scopes = ['write:dns', 'write:ntp', 'write:vaults', 'write:users', 'write:ca'];
  const words = ['token', 'create', '--name', 'furniture', ...scopes.flatMap((scope) => ['--scope', scope])];
  const token = (await shell(service, words)).trim();
  const send = async (method: 'POST' | 'PATCH', path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'if-match': '*',
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${service.origin}/api/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const post = (path: string, body?: object) => send('POST', path, body);
  await post('dns/zones', { name: 'lab.example' });
  await post('dns/records', { fqdn: 'vc01.lab.example', type: 'A', value: '10.10.0.10' });
  await post('ntp/sources', { address: 'time.lab.example' });
  const { id } = await post('vaults', { name: 'lab' });
  await post(`vaults/${id}/entries`, { key: 'esx01.root', value: VALUE });
  await post('users', { name: 'eve', role: 'viewer', password: 'another long passphrase' });
  await send('PATCH', 'certificate-authority/settings', { enabled: true, organization: 'Lab' });
  await post('certificate-authority/root');
}

test(`from an empty folder to the former state in ${MOST_STEPS} steps at most`, async () => {
  const former = await startService('former', { GROUNDCREW_ADMIN_PASSWORD: PASSWORD });
  await furnish(former);
  const then = await archived(former);
  former.child.kill('SIGKILL');

  const began = performance.now();
  let steps = 1;
  const service = await startService('other');
  const [, generated] = /password, then change it:\s+(\S+)/.exec(service.said())!;
  const visitor = new Visitor(service.origin);
  steps += 1;
  await visitor.signIn('admin', generated!);
  await visitor.open('/ui/management');
  expect(visitor.html).toContain('href="/ui/management/first-start"');
  steps += 1;
  await visitor.open('/ui/management/first-start');
  const next = await visitor.post('/ui/management/first-start', {
    file: new Blob([readFileSync(then.file)]),
    identity: OWNER.identity,
    own_password: generated!,
  });
  // The password of the first start is nobody's any more.
  await expect(visitor.signIn('admin', generated!)).rejects.toThrow();
  steps += 1;
  await visitor.signIn('admin', PASSWORD);
  await visitor.open(next);
  steps += 1;
  const plan = await visitor.post(next, {});
  await visitor.open(plan);
  const digest = /name="digest" value="(\w+)"/.exec(visitor.html)![1]!;
  // While an apply runs nobody gets a token.
  const token = (await shell(service, ['token', 'create', '--name', 'look', '--scope', 'read:apply'])).trim();
  steps += 1;
  await visitor.post(`${plan}/submit`, { digest, note: 'As it was' });
  const plan_id = plan.split('/').at(-1);
  await until(async () => {
    const answer = await fetch(`${service.origin}/api/v1/apply/plans/${plan_id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { state: string }).state === 'applied';
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${steps} steps and ${seconds} s from an empty folder to the former state, applied\n`);
  expect(steps).toBeLessThanOrEqual(MOST_STEPS);

  const now = await archived(service);
  const [before, after] = [then.members, now.members].map((members) => {
    const { contents } = JSON.parse(members.get('manifest.json')!) as { contents: unknown[] };
    return { names: [...members.keys()], contents };
  });
  expect(after).toEqual(before);
  for (const [name, text] of then.members) if (name !== 'manifest.json') expect(now.members.get(name)).toBe(text);
  expect(now.members.get('sealed/user.jsonl')).toContain('"eve"');
  expect(now.members.get('sealed/vault_entry.jsonl')).toContain(VALUE);
  // Under a key of its own.
  expect(readFileSync(join(service.data, 'vault.keys'))).not.toEqual(readFileSync(join(former.data, 'vault.keys')));
  const identity = join(folder, 'identity');
  writeFileSync(identity, OWNER.identity, { mode: 0o600 });
  await expect(
    shell(service, ['archive', 'restore', then.file, '--first-start', '--identity', identity]),
  ).rejects.toThrow(/First start is over/);
  for (const secret of [VALUE, PASSWORD, OWNER.identity]) expect(service.said()).not.toContain(secret);
});
