// What many clients, and greedy ones, may hold of the depot: idle connections, and readers that stall, leave it open for
// others, and requests that are sent one behind the other without waiting for answers are served in turn, but not all kept
// in memory.
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { put, type ReadyDepot, readyDepot } from '../setup/depot.ts';
import { House } from '../setup/house.ts';
import { liveMemory } from '../setup/live-memory.ts';
import { ask } from './depot-client.ts';

const OPEN = '/PROD/vsan/hcl/all.json';
const LARGE = '/PROD/vsan/hcl/large.bin';
/** More than the sockets of both sides take by themselves. */
const LARGE_BYTES = 24 << 20;
/**
 * Connections of one address, and how many of them stall: each of these fills megabytes of the kernel's buffers, at both
 * ends. What hundreds of slow readers do to speed and memory is measured by a benchmark.
 */
const MANY = 500;
const SLOW = 20;
const SENT = 60_000;
/** A request that waits with its answer takes some 3 KiB. */
const MOST_MIB = 64;

let house: House;
let ready: ReadyDepot;
const sockets: Socket[] = [];

beforeAll(async () => {
  house = await House.open({ depot: true });
  ready = await readyDepot(house);
  put(ready.store, OPEN, '{}\n');
  put(ready.store, LARGE, Buffer.alloc(LARGE_BYTES, 7));
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await house?.close();
});

const requests = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nHost: depot\r\n\r\n`.repeat(count);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function connected(): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: ready.endpoint.port, rejectUnauthorized: false });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

test('who sends thousands of requests at once without a login does not fill the memory', async () => {
  const socket = await connected();
  socket.resume();
  const before = liveMemory();
  let most = 0;
  for (let sent = 0; sent < SENT && !socket.destroyed; sent += 1000) {
    socket.write(requests(OPEN, 1000));
    while (socket.writableLength > 0 && !socket.destroyed) await pause(5);
    most = Math.max(most, liveMemory() - before);
  }
  await pause(200);
  most = Math.max(most, liveMemory() - before);
  expect(most / 2 ** 20).toBeLessThan(MOST_MIB);
  expect(socket.destroyed).toBe(true);
}, 300_000);

test('a few that are sent without waiting are all answered', async () => {
  const socket = await connected();
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  for (let round = 1; round <= 3; round += 1) {
    socket.write(requests(OPEN, 8));
    while ((heard.match(/ 200 OK\r\n/g) ?? []).length < 8 * round) await once(socket, 'data');
  }
});

test(`${MANY - SLOW} idle connections and ${SLOW} that stall within a file, all of one address, keep nobody from reading`, async () => {
  const { port, ca_pem } = ready.endpoint;
  const idle = await Promise.all(
    Array.from({ length: MANY - SLOW }, async () => {
      const socket = connectTcp(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      return socket;
    }),
  );
  const slow: TLSSocket[] = [];
  while (slow.length < SLOW) {
    const socket = await connected();
    socket.write(requests(LARGE, 1));
    await once(socket, 'readable');
    slow.push(socket);
  }
  const { status, body } = await ask({ port, ca_pem }, 'GET', LARGE);
  expect([status, body.length]).toEqual([200, LARGE_BYTES]);
  expect([...idle, ...slow].filter(({ destroyed }) => destroyed)).toEqual([]);
}, 300_000);
