// A VCF Installer or SDDC Manager that can't be run here, as a small server over HTTPS: what its API answers by role and
// release, how it boots, and how it fails. In process for tests, or by itself:
//   node test/fakes/vcf-appliance.ts --port 9443 --role SddcManager --version 9.1.0.0.25000000
// It prints where it listens, its certificate's SHA-256 and one line for each request, never a credential: the account is
// admin@local with the password from the environment variable FAKE_PASSWORD, or the one below.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { type Certificate, makeCertificate } from './tls-target.ts';
import { type Answer, type Asked, html, vendorError } from './vcf-appliance/answers.ts';
import { type Estate, estate } from './vcf-appliance/estate.ts';
import { type Api, api, type Behaviour, type Role } from './vcf-appliance/routes.ts';

/** How a booting appliance shows itself: no listener, a web server without its API, a web page, itself. */
export type BootPhase = 'refused' | '502' | '503' | 'page' | 'ready';

export interface Fault {
  method?: string;
  path: RegExp;
  /** How many requests it meets; without it, all. */
  times?: number;
  answer: Answer | ((asked: Asked) => Answer);
}

export interface VcfApplianceOptions extends Partial<Behaviour> {
  role: Role;
  version: string;
  port?: number;
  host?: string;
  hosts?: number;
  domain?: string;
  /** In order, from the first. `for_ms` and `asked` (requests answered in it) go on by themselves; else `nextPhase()` does. */
  boot?: readonly { phase: BootPhase; for_ms?: number; asked?: number; changes_certificate?: boolean }[];
  faults?: Fault[];
}

/** One request as a test may look at it: no header, no value. */
export interface SeenRequest {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  token: 'none' | 'issued-here' | 'unknown';
  /** Paths of the members of a JSON body. */
  members: string[];
  /** True when one of this appliance's passwords came in. */
  password: boolean;
  /** Certificate that the connection saw. */
  sha256: string;
  connection: number;
}

export interface VcfAppliance {
  origin: string;
  host: string;
  port: number;
  /** Of the certificate that new connections see. */
  readonly sha256: string;
  requests: SeenRequest[];
  /** Accepted ones. A client knows of the end of its handshake before the server does, and of this after it. */
  readonly connections: number;
  account: { username: string; password: string };
  /** Everything that must not appear anywhere: account password, passwords of the estate, tokens so far. */
  secrets: () => string[];
  /** Can be changed while it runs. */
  behaviour: Behaviour;
  estate: Estate;
  trusted: Api['trusted'];
  faults: Fault[];
  /** New connections see another certificate; with `drop`, open ones are cut. Answers its SHA-256. */
  changeCertificate: (drop?: boolean) => Promise<string>;
  nextPhase: () => Promise<BootPhase>;
  stop: () => Promise<void>;
}

const PASSWORD = 'VMware1!VMware1!-fake';

/** Every appliance of a process begins with the same one: making it takes longer than the rest of a start. */
let first: Certificate | undefined;

/** Self-signed, as an appliance makes one at its first boot. */
const firstBootCertificate = (): Certificate =>
  makeCertificate({ subject: '/O=VMware/CN=appliance.lab.test', names: 'DNS:appliance.lab.test,IP:127.0.0.1' });

export async function startVcfAppliance(options: VcfApplianceOptions): Promise<VcfAppliance> {
  const { role, version, hosts = 4, domain = 'lab.test', host = '127.0.0.1', boot = [] } = options;
  const behaviour: Behaviour = {
    account: { username: 'admin@local', password: PASSWORD },
    ...{ refusal: 401, echo: false, open_info: true, caller: 'ADMIN', token_uses: null, refresh: 'json' },
    ...{ masking: 'none', page_cap: null, first_page: 0, deployed: true, depot: {} },
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    role,
    version,
  };
  const fake = api(behaviour, estate({ hosts, domain, version }));
  const faults = options.faults ?? [];
  const requests: SeenRequest[] = [];
  const sockets = new Map<Socket, { id: number; sha256: string }>();
  const raw = new Set<Socket>();
  let accepted = 0;
  let secured = 0;
  first ??= firstBootCertificate();
  let certificate = first;
  let phase = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Requests answered since the phase began. */
  let inPhase = 0;

  const secrets = (): string[] => [behaviour.account.password, ...fake.estate.passwords, ...fake.tokens];
  const standing = (): BootPhase => boot[phase]?.phase ?? 'ready';

  function answerTo(asked: Asked, authorization: string | undefined): Answer {
    const fault = faults.find(
      ({ method, path, times = 1 }) => times > 0 && (!method || method === asked.method) && path.test(asked.path),
    );
    if (fault) {
      if (fault.times !== undefined) fault.times -= 1;
      return typeof fault.answer === 'function' ? fault.answer(asked) : fault.answer;
    }
    const booting = BOOTING[standing()];
    if (booting) return booting();
    return fake.answer(asked, authorization) ?? vendorError(404, { errorCode: 'NOT_FOUND', message: 'No such path' });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://fake');
    const method = request.method ?? 'GET';
    const asked: Asked = { method, path: pathname, query: searchParams, text, json: parsed(text) };
    const { authorization } = request.headers;
    const answer = answerTo(asked, authorization);
    const { id = 0, sha256 = '' } = sockets.get(request.socket) ?? {};
    requests.push({
      method,
      path: request.url ?? '/',
      status: answer.status,
      token: !authorization ? 'none' : fake.tokens.includes(authorization.slice(7)) ? 'issued-here' : 'unknown',
      members: membersOf(asked.json),
      password: [behaviour.account.password, ...fake.estate.passwords].some((secret) => text.includes(secret)),
      sha256,
      connection: id,
    });
    const { asked: enough } = boot[phase] ?? {};
    inPhase += 1;
    if (inPhase === enough) response.once('close', () => void nextPhase());
    await reply(response, answer);
  }

  const server = createServer(
    { key: certificate.key, cert: certificate.cert, minVersion: 'TLSv1.2' },
    (request, response) => {
      handle(request, response).catch(() => response.destroy());
    },
  );
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    raw.add(socket);
    socket.on('close', () => raw.delete(socket)).on('error', () => undefined);
  });
  server.on('secureConnection', (socket) => {
    secured += 1;
    sockets.set(socket, { id: secured, sha256: certificate.sha256 });
    socket.on('close', () => sockets.delete(socket));
  });
  // Whoever doesn't like the certificate goes away in the handshake.
  server.on('tlsClientError', () => undefined);

  const drop = (): void => {
    for (const socket of raw) socket.destroy();
  };

  async function changeCertificate(cut = false): Promise<string> {
    certificate = firstBootCertificate();
    server.setSecureContext({ key: certificate.key, cert: certificate.cert });
    if (cut) drop();
    return certificate.sha256;
  }

  async function enter(): Promise<void> {
    clearTimeout(timer);
    inPhase = 0;
    const { phase: now = 'ready', for_ms, changes_certificate } = boot[phase] ?? {};
    if (changes_certificate) await changeCertificate(true);
    if (now === 'refused') await silence(server, drop);
    else if (!server.listening) await listen(server, port, host);
    if (for_ms !== undefined) timer = setTimeout(() => void nextPhase(), for_ms).unref();
  }

  async function nextPhase(): Promise<BootPhase> {
    phase = Math.min(phase + 1, boot.length);
    await enter();
    return standing();
  }

  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  await enter();

  return {
    origin: `https://${host}:${port}`,
    host,
    port,
    get sha256() {
      return certificate.sha256;
    },
    get connections() {
      return accepted;
    },
    requests,
    account: behaviour.account,
    secrets,
    behaviour,
    estate: fake.estate,
    trusted: fake.trusted,
    faults,
    changeCertificate,
    nextPhase,
    async stop() {
      clearTimeout(timer);
      await silence(server, drop);
    },
  };
}

const BOOTING: Record<BootPhase, (() => Answer) | null> = {
  refused: null,
  '502': () => html(502, 'Bad Gateway'),
  '503': () => html(503, 'Service Temporarily Unavailable'),
  page: () => html(200, 'Welcome'),
  ready: null,
};

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

async function silence(server: Server, drop: () => void): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  drop();
  await closed;
}

async function reply(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer.delay_ms) await new Promise((resolve) => setTimeout(resolve, answer.delay_ms));
  if (answer.stall) return;
  const body = Buffer.from(answer.body ?? '');
  response.writeHead(answer.status, { server: 'nginx', ...answer.headers, 'content-length': body.length });
  if (!answer.cut) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, Math.max(1, body.length >> 1)), () => response.destroy());
}

const MOST_BODY = 1024 * 1024;

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BODY) throw new Error('too much');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `depotConfiguration.url`, … */
function membersOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([member, item]) => membersOf(item, path === '' ? member : `${path}.${member}`));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '9443' },
      role: { type: 'string', default: 'SddcManager' },
      version: { type: 'string', default: '9.1.0.0.25000000' },
      masking: { type: 'string', default: 'none' },
      'slow-boot': { type: 'boolean', default: false },
    },
  });
  const seconds = (phase: BootPhase, n: number) => ({ phase, for_ms: n * 1000 });
  const password = process.env.FAKE_PASSWORD ?? PASSWORD;
  const fake = await startVcfAppliance({
    role: values.role === 'VcfInstaller' ? 'VcfInstaller' : 'SddcManager',
    version: values.version,
    port: Number(values.port),
    masking: values.masking as Behaviour['masking'],
    account: { username: 'admin@local', password },
    boot: values['slow-boot']
      ? [seconds('refused', 20), seconds('502', 20), { ...seconds('page', 20), changes_certificate: true }]
      : [],
  });
  console.log(`${values.role} ${values.version} at ${fake.origin}, SHA-256 ${fake.sha256}`);
  const { push } = fake.requests;
  fake.requests.push = (...seen) => {
    for (const { method, path, status, token } of seen) console.log(`${method} ${path} ${status} token:${token}`);
    return push.apply(fake.requests, seen);
  };
  process.once('SIGTERM', () => void fake.stop()).once('SIGINT', () => void fake.stop());
}

if (import.meta.main) await main();
