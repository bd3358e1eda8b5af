// Requests that a client of the depot sends one behind the other without waiting for answers: they may be served in turn,
// but they are not all kept in memory.

import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { put, type ReadyDepot, readyDepot } from '../setup/depot.ts';
import { House } from '../setup/house.ts';

const OPEN = '/PROD/vsan/hcl/all.json';
const SENT = 60_000;
/** A request that waits with its answer takes some 3 KiB. */
const MOST_MIB = 64;

let house: House;
let ready: ReadyDepot;

beforeAll(async () => {
  house = await House.open({ depot: true });
  ready = await readyDepot(house);
  put(ready.store, OPEN, '{}\n');
});

afterAll(() => house.close());

test('who sends thousands of requests at once without a login does not fill the memory', async () => {
  const socket = connect({ host: '127.0.0.1', port: ready.endpoint.port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined);
  socket.resume();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }, 20);
  const thousand = `GET ${OPEN} HTTP/1.1\r\n\r\n`.repeat(1000);
  for (let sent = 0; sent < SENT && !socket.destroyed; sent += 1000) {
    if (socket.write(thousand)) continue;
    await new Promise<void>((resolve) => {
      socket.once('drain', () => resolve());
      socket.once('close', () => resolve());
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  clearInterval(watch);
  socket.destroy();
  expect(most / 2 ** 20).toBeLessThan(MOST_MIB);
}, 60_000);
