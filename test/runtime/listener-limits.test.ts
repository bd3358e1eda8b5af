// What one remote address may hold of a listener, the one refusal whatever a request is broken in, and the last words of a
// process that ends over what nobody caught.
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { refusal } from '../../runtime/boot-plane.ts';
import { LIMITS, type Listener, type ListenerOptions, startListener } from '../../runtime/listener.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { until } from '../setup/until.ts';

const warned: unknown[] = [];
const services = {
  entropy: systemEntropy,
  settings: { base_url: 'https://gc01.lab.example' },
  logger: { info: () => undefined, error: () => undefined, warn: (...said: unknown[]) => warned.push(said) },
} as unknown as Services;

let listener: Listener | null = null;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.stop(0);
  listener = null;
  warned.length = 0;
});

async function listen(options: Partial<ListenerOptions> = {}): Promise<void> {
  listener = await startListener({
    listen: { host: '0.0.0.0', port: 0 },
    tls: null,
    services,
    assets: { manifest: {}, serve: () => false },
    answer: async () => ({ statusCode: 200, headers: {}, body: 'served' }),
    ...options,
  });
}

/** A connection that sends bytes and keeps what it hears. */
function send(bytes: string, localAddress = '127.0.0.1'): { socket: Socket; heard: Promise<string> } {
  const socket = connect({ port: listener!.address.port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  return { socket, heard: new Promise((resolve) => socket.on('close', () => resolve(heard))) };
}

const HALF = 'GET / HTTP/1.1\r\nHost: gc\r\n';
const WHOLE = `${HALF}Connection: close\r\n\r\n`;

describe('one address', () => {
  test('with a thousand half requests keeps nobody else out, and is told once in the log', async () => {
    await listen();
    const dropped = Array.from({ length: LIMITS.maxConnections }, () => send(HALF));
    await Promise.any(dropped.map(({ heard }) => heard));
    expect(await send(WHOLE, '127.0.0.2').heard).toContain('served');
    expect(await send(WHOLE).heard).toBe('');
    expect(warned).toEqual([['too many connections', { source_address: '127.0.0.1', most: LIMITS.connectionsEach }]]);
  });

  test('is served again once its connections have ended', async () => {
    await listen({ limits: { connectionsEach: 2 } });
    const held = [send(HALF), send(HALF)];
    expect(await send(WHOLE).heard).toBe('');
    for (const { socket } of held) socket.destroy();
    await until(async () => (await send(WHOLE).heard).includes('served'));
  });
});

const BROKEN: [string, string, RegExp][] = [
  ['no HTTP', '\x16\x03\x01\x02\r\n\r\n', /^HTTP\/1\.1 400 /],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nX: ${'a'.repeat(LIMITS.maxHeaderSize)}\r\n\r\n`,
    /^HTTP\/1\.1 431 /,
  ],
  ['a length that is sent twice', `${HALF}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, /^HTTP\/1\.1 400 /],
  ['an expectation that is not known', `${HALF}Expect: x\r\nConnection: close\r\n\r\n`, /^HTTP\/1\.1 200 /],
];

describe.each(BROKEN)('a request with %s', (_name, bytes, ordinary) => {
  test('is refused by the boot plane as everything is', async () => {
    await listen({ refusal });
    const heard = await send(bytes).heard;
    expect(heard).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(heard.slice(heard.indexOf('\r\n\r\n') + 4)).toBe(refusal().body);
    expect(heard).toMatch(/\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
    expect(heard).not.toMatch(/problem|request-id|malformed/i);
  });

  test('is told what is wrong elsewhere', async () => {
    await listen();
    expect(await send(bytes).heard).toMatch(ordinary);
  });
});

test('the boot plane asks nobody to go on', async () => {
  await listen({ refusal, answer: async () => refusal() });
  const heard = await send(`${HALF}Expect: 100-continue\r\nConnection: close\r\n\r\n`).heard;
  expect(heard).toMatch(/^HTTP\/1\.1 404 /);
});

test.each([
  ['uncaughtException', 'setTimeout(() => { throw new TypeError("nobody caught this"); });'],
  ['unhandledRejection', 'Promise.reject(new TypeError("nobody caught this"));'],
])('%s is the last line of the log, and the process ends to be started again', async (event, work) => {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, '../../runtime', path));
  const program = `
    import { endWithLastWords } from ${at('last-words.ts')};
    import { createLogger } from ${at('log.ts')};
    endWithLastWords({ logger: createLogger('INFO', 'test') });
    setInterval(() => undefined, 1000);
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  const said = (await text(child.stderr)).trim().split('\n');
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(JSON.parse(said.at(-1)!)).toMatchObject({
    level: 'CRITICAL',
    message: 'the service ends',
    event,
    failure: { name: 'TypeError', message: 'nobody caught this', stack: expect.stringContaining('TypeError') },
  });
});
