// Two planes of plain HTTP at one address and port: each request reaches its own, a client that takes all it may have of one gets an
// answer of the other, and who comes or goes resets no connection.
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Listener } from '../../runtime/listener.ts';
import { firstIn } from '../../runtime/plain-door.ts';
import { PlainDoors, type PlainPlane } from '../../runtime/plain-doors.ts';
import { until } from '../setup/until.ts';
import { services } from './doors-scene.ts';

const EACH = 4;
let held: (() => void)[];
let portal: Listener;
let boot: Listener;
let doors: PlainDoors;
let sockets: Socket[];

const plane = (name: string, own?: string): PlainPlane => ({
  async answer({ rawPath }) {
    if (rawPath.endsWith('/held')) await new Promise<void>((go) => held.push(go));
    return { statusCode: 200, headers: {}, body: name };
  },
  ...(own !== undefined && { owns: async ({ rawPath, headers }) => rawPath.startsWith(own) || headers.host === name }),
});
const PORTAL = plane('portal', '/ca/');
const BOOT = plane('boot');

beforeEach(async () => {
  held = [];
  sockets = [];
  const assets = { manifest: {}, serve: () => false };
  doors = new PlainDoors({ tls: null, services, assets, limits: { connectionsEach: EACH } });
  portal = await doors.enter(PORTAL, { host: '127.0.0.1', port: 0 });
  boot = await doors.enter(BOOT, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const go of held) go();
  for (const socket of sockets) socket.destroy();
  await Promise.all([portal.stop(0), boot.stop(0)]);
});

/** What comes back on a connection of its own; empty: it was closed without an answer. */
function ask(
  path: string,
  { host = 'any.example', agent = false as http.Agent | false, method = 'GET', body = '' } = {},
) {
  const { port } = portal.address;
  return new Promise<string>((resolve) => {
    const asked = http.request({ host: '127.0.0.1', port, path, method, agent, headers: { host } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
    });
    asked.on('error', () => resolve(''));
    asked.end(body);
  });
}

/** Takes a connection with a request that is not answered. */
function hold(path: string): void {
  const socket = connect(
    portal.address.port,
    '127.0.0.1',
    () => void socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`),
  );
  socket.on('error', () => undefined);
  sockets.push(socket);
}

test('each request reaches its plane, by path and by Host, also with a body and on a kept connection', async () => {
  expect(await ask('/ca/root.crt')).toBe('200 portal');
  expect(await ask('/', { host: 'portal' })).toBe('200 portal');
  expect(await ask('/boot/x')).toBe('200 boot');
  expect(await ask('/ca/ocsp', { method: 'POST', body: 'x'.repeat(3_000) })).toBe('200 portal');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const said = [];
    for (const path of ['/ca/a', '/boot/b', '/ca/c']) said.push(await ask(path, { agent }));
    expect(said).toEqual(['200 portal', '200 boot', '200 portal']);
  } finally {
    agent.destroy();
  }
});

describe('a client that takes all it may have', () => {
  test.each([
    ['the portal', '/ca/held', '/ca/x', '/boot/x', '200 boot'],
    ['network boot', '/boot/held', '/boot/x', '/ca/x', '200 portal'],
  ])('of %s gets an answer of the other', async (_plane, flood, full, other, answered) => {
    for (let count = 0; count < EACH; count += 1) hold(flood);
    await until(() => held.length === EACH);
    expect([await ask(full), await ask(other), await ask(full)]).toEqual(['', answered, '']);
  });
});

test('half a request is no place of a plane', async () => {
  for (let count = 0; count < 3 * EACH; count += 1) {
    const socket = connect(portal.address.port, '127.0.0.1', () => void socket.write('GET /ca/'));
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  expect([await ask('/ca/x'), await ask('/boot/x')]).toEqual(['200 portal', '200 boot']);
});

test('what is no request is refused by a plane', async () => {
  const socket = connect(
    portal.address.port,
    '127.0.0.1',
    () => void socket.write('\x16\x03\x01\x00\xff nothing\r\n\r\n'),
  );
  sockets.push(socket);
  const said = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
});

test('one that goes leaves the other everything', async () => {
  await boot.stop(0);
  expect(await ask('/boot/x')).toBe('200 portal');
  boot = await doors.enter(BOOT, { host: '127.0.0.1', port: 0 });
  expect([await ask('/boot/x'), await ask('/ca/x')]).toEqual(['200 boot', '200 portal']);
});

test.each<[string, ReturnType<typeof firstIn>]>([
  ['GET /a?b HTTP/1.1\r\nHost: x.example\r\n\r\n', { rawPath: '/a', headers: { host: 'x.example' } }],
  ['\r\nGET /a HTTP/1.0\n\n', { rawPath: '/a', headers: {} }],
  ['GET /a HTTP/1.1\r\nHost: x', 'more'],
  ['GE', 'more'],
  ['', 'more'],
  ['GET\r\n\r\n', null],
  [`GET /${'a'.repeat(17 << 10)}`, null],
  ['\x16\x03\x01', null],
])('what a head is for: %#', (head, first) => {
  expect(firstIn(Buffer.from(head, 'latin1'))).toEqual(first);
});
