// A body is read when somebody asks for it, as far as he asks, and not before; what is left of it never costs the client
// its answer.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { LIMITS, type Listener, startListener } from '../../runtime/listener.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import type { GatewayAnswer, GatewayEvent, IncomingBody } from '../../shared/kernel/operation/event.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

const services = {
  entropy: systemEntropy,
  settings: { base_url: 'https://gc01.lab.example' },
  logger: { info: () => undefined, error: () => undefined, warn: () => undefined },
} as unknown as Services;

let listener: Listener;
const sockets: Socket[] = [];
const { linger } = LIMITS;
beforeEach(() => {
  LIMITS.linger = 20;
});
afterEach(async () => {
  LIMITS.linger = linger;
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.stop(0);
});

async function listen(answer: (incoming: IncomingBody, event: GatewayEvent) => Promise<string>): Promise<void> {
  const answered = async (event: GatewayEvent): Promise<GatewayAnswer> => ({
    statusCode: 200,
    headers: {},
    body: await answer(event.incoming!, event),
  });
  const assets = { manifest: {}, serve: () => false };
  listener = await startListener({
    listen: { host: '127.0.0.1', port: 0 },
    tls: null,
    services,
    assets,
    answer: answered,
  });
}

/** A connection that sends bytes; `heard` is what came until it ended. */
function send(...pieces: (string | Buffer)[]): { socket: Socket; heard: Promise<string> } {
  const socket = connect({ port: listener.address.port, host: '127.0.0.1' });
  sockets.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  return { socket, heard: new Promise((resolve) => socket.on('close', () => resolve(heard))) };
}

const head = (...headers: string[]) => `POST / HTTP/1.1\r\nHost: gc\r\n${headers.join('\r\n')}\r\n\r\n`;
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

test('nothing is read unless it is asked for', async () => {
  await listen(async ({ taken }) => `taken: ${taken}`);
  expect(await send(head('Content-Length: 7', 'Connection: close'), '{"a":1}').heard).toMatch(/taken: null$/);
});

test('copies of the event share what was read, and it is read once', async () => {
  await listen(async (incoming, event) => {
    const copy = { ...event }.incoming!;
    const same = (await incoming.read(7)) === (await copy.read(1));
    return `${same} ${copy.taken}`;
  });
  expect(await send(head('Content-Length: 7', 'Connection: close'), '{"a":1}').heard).toMatch(/true \{"a":1\}$/);
});

test.each<[string, (text: string) => string[]]>([
  ['says its length', (text) => [head(`Content-Length: ${text.length}`, 'Connection: close'), text]],
  ['is chunked', (text) => [head('Transfer-Encoding: chunked', 'Connection: close'), chunked(text)]],
])('a body that %s may have as many bytes as were asked for, and none more', async (_how, request) => {
  await listen(async (incoming) => `${(await incoming.read(5)).length} bytes`);
  expect(await send(...request('12345')).heard).toMatch(/5 bytes$/);
  expect(await send(...request('123456')).heard).toMatch(/^HTTP\/1\.1 413 /);
});

test('a client that ends in the middle of its body is waited for no longer', async () => {
  const failed = Promise.withResolvers<unknown>();
  await listen((incoming) => {
    const reading = incoming.read(100);
    reading.catch(failed.resolve);
    return reading.then(String);
  });
  const { socket } = send(head('Content-Length: 50'), 'half');
  socket.once('connect', () => setImmediate(() => socket.destroy()));
  expect(await failed.promise).toMatchObject({ code: 'malformed_request' });
});

test('a connection whose body has arrived is kept, read or not', async () => {
  let asked = 0;
  await listen(async () => `answer ${++asked}`);
  const whole = head('Content-Length: 4');
  const { heard } = send(`${whole}text${whole}text${head('Content-Length: 4', 'Connection: close')}text`);
  expect(await heard).toMatch(/answer 1.*answer 2.*answer 3$/s);
});

test('the answer is whole before the client has sent what nobody reads, and the connection ends after it', async () => {
  await listen(async () => 'x'.repeat(100_000));
  const size = 16 * LIMITS.body;
  const { socket, heard } = send(head(`Content-Length: ${size}`), Buffer.alloc(size));
  let length = 0;
  await new Promise<void>((resolve) =>
    socket.on('data', (chunk) => {
      length += chunk.length;
      if (length > 100_000) resolve();
    }),
  );
  // Most of what was sent still waits on this side: nobody has taken it.
  expect(socket.writableLength).toBeGreaterThan(0);
  const [headers = '', body] = (await heard).split('\r\n\r\n');
  expect([headers.toLowerCase().includes('\r\nconnection: close\r\n'), body?.length]).toEqual([true, 100_000]);
});

test('what a client sends after a refusal is taken, also when some of the body was read', async () => {
  // For as long as a busy machine takes to send it.
  LIMITS.linger = 60_000;
  await listen(async (incoming) => `${(await incoming.read(5)).length} bytes`);
  const piece = `${(1 << 20).toString(16)}\r\n${'x'.repeat(1 << 20)}\r\n`;
  const { socket, heard } = send(head('Transfer-Encoding: chunked'));
  // It listens to nothing before all is sent.
  socket.pause();
  const sent = new Promise<unknown>((resolve) => socket.write(`${piece.repeat(16)}0\r\n\r\n`, resolve));
  expect((await sent) ?? 'sent').toBe('sent');
  socket.resume().end();
  expect(await heard).toMatch(/^HTTP\/1\.1 413 /);
});

test('a body that is asked for when its sender has gone is refused, and nobody waits for it', async () => {
  const asked = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<unknown>();
  await listen(async (incoming) => {
    asked.resolve();
    await gone.promise;
    await incoming.read(1 << 20).catch(refused.resolve);
    return '';
  });
  const gone = Promise.withResolvers<void>();
  const { socket, heard } = send('POST / HTTP/1.1\r\nHost: gc\r\nContent-Length: 100\r\n\r\nhalf');
  await asked.promise;
  socket.destroy();
  await heard;
  // The listener has its end as well by now, or soon: either is refused.
  setTimeout(gone.resolve, 50);
  expect(await refused.promise).toMatchObject({ code: 'malformed_request' });
});
