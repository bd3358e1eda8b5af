// An answer in parts over a socket: a reader that goes ends the making of them, and a fault between two of them shows.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type Listener, startListener } from '../../runtime/listener.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { until } from '../setup/until.ts';

const logged: string[] = [];
const services = {
  entropy: systemEntropy,
  settings: { base_url: 'https://gc01.lab.example' },
  logger: {
    info: () => undefined,
    error: (...said: unknown[]) => logged.push(JSON.stringify(said)),
    warn: () => undefined,
  },
} as unknown as Services;

let listener: Listener;
afterEach(async () => {
  logged.length = 0;
  await listener.stop(0);
});

async function listen(parts: () => AsyncIterable<string>): Promise<string> {
  listener = await startListener({
    listen: { host: '127.0.0.1', port: 0 },
    tls: null,
    services,
    assets: { manifest: {}, serve: () => false },
    answer: async () => ({ statusCode: 200, headers: { 'content-type': 'text/csv' }, body: '', parts: parts() }),
  });
  return `http://127.0.0.1:${listener.address.port}/`;
}

test('all parts arrive, in order', async () => {
  const url = await listen(async function* () {
    for (const part of ['a\r\n', 'b\r\n', '']) yield part;
    yield 'c\r\n';
  });
  expect(await (await fetch(url)).text()).toBe('a\r\nb\r\nc\r\n');
  expect(logged).toEqual([]);
});

test('a reader that goes ends the making: what it reads from is let go', async () => {
  let made = 0;
  let ended = false;
  await listen(async function* () {
    try {
      for (; ; made++) yield 'x'.repeat(1 << 20);
    } finally {
      ended = true;
    }
  });
  const socket = connect({ port: listener.address.port, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\nHost: gc\r\n\r\n');
  await once(socket, 'readable');
  expect(ended).toBe(false);
  socket.destroy();
  await until(() => ended);
  // Kept back by the reader, and not made into the memory.
  expect(made).toBeLessThan(64);
  expect(logged).toEqual([]);
});

test.each([
  ['of the program', () => new Error('broken')],
  ['that has a name', () => new Problem('state_conflict', 'broken')],
])('a fault %s between two parts is no end for the reader, and is in the log', async (_name, fault) => {
  const url = await listen(async function* () {
    yield 'a\r\n';
    throw fault();
  });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  await until(() => logged.length === 1);
  expect(logged[0]).toContain('broken');
});
