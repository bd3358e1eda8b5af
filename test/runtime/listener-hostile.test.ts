// Whoever wants to stop a listener from the network: connections whose handshake never ends, requests that are never sent
// to their end, refusals that nobody hears, and requests one behind the other whose answers nobody takes.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as ask } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type DepotListenerOptions, startDepotListener } from '../../runtime/depot-listener.ts';
import { LIMITS, type Listener, type ListenerOptions, startListener } from '../../runtime/listener.ts';
import { fixedCertificate } from '../../runtime/management-certificate.ts';
import { TlsDoors } from '../../runtime/tls-doors.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import type { GatewayAnswer, GatewayEvent } from '../../shared/kernel/operation/event.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { until } from '../setup/until.ts';

const TLS = join(import.meta.dirname, '../fixtures/tls');
const tls = { cert: join(TLS, 'cert.pem'), key: join(TLS, 'key.pem') };
const listen = { host: '127.0.0.1', port: 0 };
const warned: unknown[] = [];
const services = {
  entropy: systemEntropy,
  settings: { base_url: '', hostname: 'gc01' },
  logger: { info: () => undefined, error: () => undefined, warn: (...said: unknown[]) => warned.push(said[0]) },
} as unknown as Services;
const SERVED: GatewayAnswer = { statusCode: 200, headers: {}, body: 'served' };
const QUICK = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20, linger: 100 };
/** None ends for its time: a busy machine comes to what was sent later than QUICK allows. */
const PATIENT = { headersTimeout: 60_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };
const ordinary = { ...LIMITS };

let listener: Listener;
let hello: Buffer;
const sockets: Socket[] = [];

beforeAll(async () => {
  // Read when a listener starts; put back at the end.
  Object.assign(LIMITS, QUICK);
  hello = await clientHello();
});
afterAll(() => {
  Object.assign(LIMITS, ordinary);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.stop(0);
  warned.length = 0;
});

/** The first bytes of a client that means it. */
async function clientHello(): Promise<Buffer> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connectTls({ host: '127.0.0.1', port: (server.address() as { port: number }).port });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  server.close();
  return bytes;
}

/** A connection that says something, hears all, and never ends by itself. `ended`: the listener ended it. */
function hold(bytes: string | Buffer): { socket: Socket; heard(): string; ended: Promise<unknown> } {
  const socket = connect({ port: listener.address.port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  // A reset is an end as well; `once` of node:events would take it for a failure.
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return { socket, heard: () => heard, ended };
}

const start = async (options: Partial<ListenerOptions> = {}): Promise<void> => {
  const common = { listen, tls: null, services, assets: { manifest: {}, serve: () => false } };
  listener = await startListener({ ...common, answer: async () => SERVED, ...options });
};

const FEW = { handshakeTimeout: 200, maxConnections: 8, connectionsReserved: 0 };

type Serve = DepotListenerOptions['serve'];
const startDepot = async (limits: DepotListenerOptions['limits'], serve: Serve): Promise<void> => {
  const shown = { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') };
  listener = await startDepotListener({ services, listen, shown, serve, limits: { ...limits } });
};

describe.each<[string, () => Promise<void>]>([
  ['management', () => start({ tls: fixedCertificate(tls), limits: FEW })],
  [
    'management at a door that it may share',
    () => start({ tls: fixedCertificate(tls), doors: new TlsDoors({ services }), limits: FEW }),
  ],
  ['depot', () => startDepot(FEW, async (_, response) => void response.end('served'))],
])('the listener of %s', (_name, startIt) => {
  const served = () =>
    new Promise<boolean>((resolve) => {
      const { port } = listener.address;
      const asked = ask({ host: '127.0.0.1', port, rejectUnauthorized: false, agent: false }, (answer) => {
        answer
          .on('error', () => resolve(false))
          .on('end', () => resolve(true))
          .resume();
      });
      asked.on('error', () => resolve(false)).end();
    });

  test.each<[string, () => Buffer | string]>([
    ['say nothing', () => ''],
    ['send one byte', () => '\x16'],
    ['send half a hello', () => hello.subarray(0, hello.length / 2)],
    ['send a hello and no more', () => hello],
  ])('is full of clients that %s, and free again without them going', async (_what, bytes) => {
    await startIt();
    const held = Array.from({ length: FEW.maxConnections }, () => hold(bytes()));
    await until(async () => !(await served()));
    await until(served);
    await Promise.all(held.map(({ ended }) => ended));
  });
});

test.each<[string, string, string]>([
  ['half a head', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n', '408'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{', '408'],
  ['too large a head', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, '431'],
  ['no HTTP', 'hello\r\n\r\n', '400'],
  ['too large a body', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n{', '413'],
])('%s is refused, and gives its slot back whether or not the client goes', async (_name, bytes, status) => {
  // An operation that asks for the body, as one with a body does.
  const answer = async ({ incoming }: GatewayEvent) => {
    await incoming?.read(LIMITS.body);
    return SERVED;
  };
  await start({ limits: { connectionsEach: 1, ...(status !== '408' && PATIENT) }, answer });
  const held = hold(bytes);
  await held.ended;
  expect(held.heard()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  await until(async () => {
    const next = hold('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    await next.ended;
    return next.heard().endsWith('served');
  });
});

describe('requests one behind the other', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

  test('are answered in their turn: the next is begun when the one before has left', async () => {
    let running = 0;
    const most: number[] = [];
    const answer = async () => {
      most.push(++running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      return SERVED;
    };
    await start({ limits: PATIENT, answer });
    const held = hold(GET.repeat(LIMITS.requestsEach));
    await until(() => held.heard().split('served').length - 1 === LIMITS.requestsEach);
    expect(most).toEqual(Array(LIMITS.requestsEach).fill(1));
  });

  test('end their connection when too many of them wait, and what waited is not begun', async () => {
    let begun = 0;
    const answer = () => {
      begun += 1;
      return new Promise<GatewayAnswer>(() => undefined);
    };
    await start({ limits: PATIENT, answer });
    await hold(GET.repeat(LIMITS.requestsEach + 1)).ended;
    expect(begun).toBeLessThanOrEqual(1);
    expect(warned).toEqual(['too many requests at once on a connection']);
  });
});

/** A connection over TLS from this address of loopback; `open` until the listener ends it. */
async function from(localAddress: string): Promise<{ socket: TLSSocket; open: boolean; heard: string }> {
  const { port } = listener.address;
  const socket = connectTls({ socket: connect({ host: '127.0.0.1', port, localAddress }), rejectUnauthorized: false });
  sockets.push(socket);
  const client = { socket, open: true, heard: '' };
  socket
    .on('error', () => undefined)
    .on('close', () => {
      client.open = false;
    });
  socket.on('data', (chunk) => {
    client.heard += chunk;
  });
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]);
  return client;
}

const ROOM = { ...PATIENT, maxConnections: 12, connectionsReserved: 0, connectionsEach: 12 };
const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

describe.each<[string, () => Promise<void>]>([
  [
    'management',
    () => {
      const answer = ({ rawPath }: { rawPath: string }) =>
        rawPath === '/long' ? new Promise<GatewayAnswer>(() => undefined) : Promise.resolve(SERVED);
      return start({ tls: fixedCertificate(tls), limits: ROOM, answer });
    },
  ],
  ['depot', () => startDepot(ROOM, async ({ url }, response) => void (url === '/long' || response.end('served')))],
])('the full listener of %s', (_name, startIt) => {
  test('has a place for another address, and ends a connection without a request for it', async () => {
    await startIt();
    const held: Awaited<ReturnType<typeof from>>[] = [];
    for (let at = 0; at < ROOM.maxConnections; at++) held.push(await from('127.0.0.3'));
    for (const { socket } of held.slice(0, 2)) socket.write(GET('/long'));
    held[3]!.socket.write(GET('/'));
    await until(() => held[3]!.heard.endsWith('served'));
    const newcomer = await from('127.0.0.4');
    newcomer.socket.write(GET('/'));
    await until(() => newcomer.heard.endsWith('served') && held.some(({ open }) => !open));
    expect(held.flatMap(({ open }, at) => (open ? [] : [at]))).toEqual([2]);
  });
});

describe('what comes with a request for a file', () => {
  const bytes = 'GET /assets/a.css HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n{';

  test.each<[string, Partial<ListenerOptions>]>([
    ['built in', { assets: { manifest: {}, serve: (_, response) => Boolean(response.end('served')) } }],
    ['streamed', { stream: async (_, response) => Boolean(response.end('served')) }],
  ])("that is %s is nobody's, and the connection ends after the answer", async (_kind, options) => {
    await start({ limits: PATIENT, ...options });
    const held = hold(bytes);
    await held.ended;
    expect(held.heard()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close\r\n[\s\S]*served/i);
  });

  test("of the depot is nobody's, and the connection ends after the answer", async () => {
    await startDepot(PATIENT, async (_, response) => void response.end('served'));
    const client = await from('127.0.0.1');
    client.socket.write(bytes);
    await until(() => !client.open);
    expect(client.heard).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close\r\n[\s\S]*served/i);
  });
});
