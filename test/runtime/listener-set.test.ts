// Sockets that follow the applied state. Addresses of the loopback network stand for those of interfaces; what is in
// force is what the test says.
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitingEverywhere, waitingIn } from '../../runtime/accept-queue.ts';
import { type Listener, startListener } from '../../runtime/listener.ts';
import { type FollowingListener, type FollowOptions, followApplied, follows } from '../../runtime/listener-follow.ts';
import { sharing } from '../../runtime/listener-set.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { until } from '../setup/until.ts';

const PACE = { retry: 20, every: 60_000, patience: 150, settle: 100, grace: 300 };
const [FIRST, SECOND, THIRD] = ['127.0.0.21', '127.0.0.22', '127.0.0.23'] as const;

let inForce: string[] | null;
let unreadable: boolean;
/** Addresses that no link has at the moment. */
let away: Set<string>;
/** What those who ask for `/slow` wait for, and how many did. */
let slow: PromiseWithResolvers<void>;
let asked: number;
let said: { level: string; message: string; extra: Record<string, unknown> }[];
let followed: FollowingListener | null;
/** Sockets in the order in which they were opened and closed. */
let steps: string[];

const logger = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map((level) => [
    level,
    (message: string, extra: Record<string, unknown>) => void said.push({ level, message, extra }),
  ]),
) as unknown as Services['logger'];
const services = { logger, entropy: systemEntropy, settings: { base_url: '' } } as unknown as Services;

beforeEach(() => {
  inForce = null;
  unreadable = false;
  away = new Set();
  slow = Promise.withResolvers();
  asked = 0;
  said = [];
  steps = [];
  followed = null;
});

afterEach(async () => {
  slow.resolve();
  await followed?.stop(0);
});

const start: FollowOptions['start'] = async (listen, how): Promise<Listener> => {
  if (away.has(listen.host)) throw Object.assign(new Error('away'), { code: 'EADDRNOTAVAIL' });
  const listener = await startListener({
    listen,
    sharing: how,
    tls: null,
    services,
    assets: { manifest: {}, serve: () => false },
    async answer(event) {
      if (event.rawPath === '/slow') {
        asked += 1;
        await slow.promise;
      }
      return { statusCode: 200, headers: {}, body: 'here' };
    },
    async stream(_request, response, event) {
      if (event.rawPath !== '/events') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': on\n\n');
      return true;
    },
  });
  steps.push(`+${listen.host}`);
  return {
    ...listener,
    stop(grace) {
      steps.push(`-${listen.host}`);
      return listener.stop(grace);
    },
  };
};

async function begin({
  host = '0.0.0.0',
  ...pace
}: Partial<typeof PACE> & { host?: string } = {}): Promise<FollowingListener> {
  const addresses = async () => {
    if (unreadable) throw new Error('a damaged file');
    return inForce;
  };
  followed = await followApplied({ listen: { host, port: 0 }, addresses, start, logger, pace: { ...PACE, ...pace } });
  return followed;
}

/** The state in force changes, and whoever listens is told. */
async function apply(addresses: string[]): Promise<void> {
  inForce = addresses;
  followed!.look();
  await pause(PACE.settle + 50);
  if (!unreadable && !addresses.some((address) => away.has(address))) await listensAt(addresses);
}

/** Exactly there and on loopback. */
const listensAt = (addresses: string[]): Promise<void> =>
  until(() => {
    const hosts = followed!.hosts().filter((host) => !['127.0.0.1', '::1'].includes(host));
    return `${hosts.sort()}` === `${addresses.toSorted()}`;
  });

/** What a new connection to an address gets: `here`, or why not. */
function knock(host: string, path = '/', agent: http.Agent | false = false): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get({ host, port: followed!.address.port, path, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** Connects every few milliseconds until told to stop; answers what it got, and how often; `got` says so meanwhile. */
function knockOn(host: string): (() => Promise<Record<string, number>>) & { got: Record<string, number> } {
  const got: Record<string, number> = {};
  const waiting: Promise<void>[] = [];
  const timer = setInterval(() => {
    waiting.push(
      knock(host).then((what) => {
        got[what] = (got[what] ?? 0) + 1;
      }),
    );
  }, 3);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(waiting);
    return got;
  };
  return Object.assign(stop, { got });
}

/** Does nothing else for so many milliseconds, as on a busy machine. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const logged = (message: RegExp) => said.filter((line) => message.test(line.message));

describe('where it listens', () => {
  test('everywhere until something was applied; then exactly there and on loopback, with no connection lost', async () => {
    await begin();
    expect(followed!.hosts()).toEqual(['0.0.0.0']);
    expect(await knock(THIRD)).toBe('here');
    const stop = knockOn(FIRST);
    const more = (than: number) => until(() => (stop.got.here ?? 0) > than);
    await more(5);
    await apply([FIRST, SECOND]);
    await more((stop.got.here ?? 0) + 5);
    expect(Object.keys(await stop())).toEqual(['here']);
    expect(followed!.hosts().filter((host) => host !== '::1')).toEqual(['127.0.0.1', FIRST, SECOND]);
    expect([await knock('127.0.0.1'), await knock(SECOND), await knock(THIRD)]).toEqual([
      'here',
      'here',
      'ECONNREFUSED',
    ]);
  });

  test('a busy service lets everybody in who waits at a socket before it closes', async () => {
    await begin();
    inForce = [FIRST];
    followed!.look();
    await until(() => followed!.hosts().includes(FIRST));
    // Their address has no socket of its own, so they wait at the one that closes next. They connect in the next tick.
    const answers = Array.from({ length: 50 }, () => knock(SECOND));
    await new Promise<void>((done) => process.nextTick(() => done(block(2 * PACE.settle))));
    expect(waitingIn(readFileSync('/proc/net/tcp', 'utf8'), followed!.address.port)).toBeGreaterThan(40);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['here']));
    await listensAt([FIRST]);
    expect(await waitingEverywhere(followed!.address.port)).toBe(0);
  });

  test('in both families, each with its own socket, where all addresses of IPv6 were asked for', async () => {
    await begin({ host: '::' });
    // A machine without IPv6 has the first only.
    expect(followed!.hosts()[0]).toBe('0.0.0.0');
    expect(await knock(FIRST)).toBe('here');
  });

  test('an address that moves: the new one first, and a neighbour notices nothing', async () => {
    inForce = [FIRST, SECOND];
    await begin();
    steps = [];
    const stop = knockOn(FIRST);
    for (let round = 0; round < 5; round += 1) await apply([FIRST, round % 2 === 0 ? THIRD : SECOND]);
    expect(Object.keys(await stop())).toEqual(['here']);
    expect(steps.slice(0, 4)).toEqual([`+${THIRD}`, `-${SECOND}`, `+${SECOND}`, `-${THIRD}`]);
    expect([await knock(SECOND), await knock(THIRD)]).toEqual(['ECONNREFUSED', 'here']);
  });

  test('nothing happens when nothing changed', async () => {
    inForce = [FIRST];
    await begin();
    steps = [];
    for (let looks = 0; looks < 10; looks += 1) followed!.look();
    await apply([FIRST]);
    expect(steps).toEqual([]);
    expect(logged(/management listeners/)).toHaveLength(1);
  });

  test('everything stays when what is in force can not be read, which is said once', async () => {
    inForce = [FIRST];
    await begin();
    unreadable = true;
    await apply([SECOND]);
    await pause(3 * PACE.retry);
    expect([await knock(FIRST), await knock(SECOND)]).toEqual(['here', 'ECONNREFUSED']);
    expect(logged(/can not be read/)).toHaveLength(1);
    unreadable = false;
    await apply([SECOND]);
    expect(await knock(SECOND)).toBe('here');
  });

  test('a second service on the port does not start', async () => {
    inForce = [FIRST];
    const { port } = (await begin()).address;
    const again = { listen: { host: '0.0.0.0', port }, addresses: async () => [SECOND], start, logger, pace: PACE };
    await expect(followApplied(again)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await knock(FIRST)).toBe('here');
  });
});

describe('an address that is not there', () => {
  test('is tried again until it is there, and told of once', async () => {
    away.add(SECOND);
    inForce = [FIRST, SECOND];
    await begin();
    expect(await knock(FIRST)).toBe('here');
    await until(() => logged(/tried again/).length > 0);
    await pause(10 * PACE.retry);
    const lines = logged(/tried again/);
    expect(lines.map(({ extra }) => extra)).toEqual([{ address: SECOND, code: 'EADDRNOTAVAIL' }]);
    expect(followed!.hosts()).not.toContain('0.0.0.0');
    away.clear();
    await until(() => followed!.hosts().includes(SECOND));
    expect(await knock(SECOND)).toBe('here');
  });

  test('keeps the old one open, and opens all when there is no way in for long; until one is there', async () => {
    inForce = [FIRST];
    await begin({ patience: 2000 });
    away.add(SECOND);
    const asked = apply([SECOND]);
    await pause(PACE.settle);
    expect(await knock(FIRST)).toBe('here');
    expect(await knock(THIRD)).toBe('ECONNREFUSED');
    await asked;
    await until(() => followed!.hosts().includes('0.0.0.0'));
    expect([await knock(FIRST), await knock(THIRD)]).toEqual(['here', 'here']);
    expect(logged(/all addresses are opened/).map(({ level }) => level)).toEqual(['warn']);
    away.clear();
    const stop = knockOn(SECOND);
    await listensAt([SECOND]);
    await pause(5 * PACE.retry);
    expect(Object.keys(await stop())).toEqual(['here']);
    expect([await knock(SECOND), await knock(FIRST), await knock(THIRD)]).toEqual([
      'here',
      'ECONNREFUSED',
      'ECONNREFUSED',
    ]);
  });

  test('not even loopback: all addresses are opened at once, and a start without any socket fails', async () => {
    away = new Set(['127.0.0.1', '::1', FIRST]);
    inForce = [FIRST];
    await begin();
    expect(await knock(SECOND)).toBe('here');
    await followed!.stop(0);
    away = new Set([...away, '0.0.0.0', '::']);
    await expect(begin()).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });
});

describe('what runs on an address that closes', () => {
  /** Bytes that a connection gets until it ends, and when that was. */
  async function converse(host: string, path: string): Promise<{ ended: Promise<{ text: string; at: number }> }> {
    const socket = connect(followed!.address.port, host);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (path) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const ended = once(socket, 'close').then(() => ({ text, at: performance.now() }));
    await until(() => (path === '/slow' ? asked > 0 : text !== ''));
    return { ended };
  }

  test('idle connections and event streams end at once; a request finishes, and its connection ends with it', async () => {
    inForce = [FIRST, SECOND];
    // What ended with its grace would outlast this test.
    await begin({ grace: 60_000 });
    const idle = await converse(SECOND, '/');
    const stream = await converse(SECOND, '/events');
    const request = await converse(SECOND, '/slow');
    const other = await converse(FIRST, '/events');
    inForce = [FIRST];
    followed!.look();
    await idle.ended;
    // The last chunk: an end, no cut.
    expect((await stream.ended).text).toMatch(/: on[\s\S]*\r\n0\r\n\r\n$/);
    slow.resolve();
    expect((await request.ended).text).toMatch(/^HTTP\/1\.1 200[\s\S]*connection: close[\s\S]*here$/i);
    const still = await Promise.race([other.ended, pause(PACE.grace).then(() => 'open')]);
    expect(still).toBe('open');
  });

  test('a request that takes longer than its grace is cut', async () => {
    inForce = [FIRST, SECOND];
    await begin();
    const request = await converse(SECOND, '/slow');
    const began = performance.now();
    inForce = [FIRST];
    followed!.look();
    const { text, at } = await request.ended;
    expect(text).toBe('');
    // Its answer never comes.
    expect(at - began).toBeGreaterThanOrEqual(PACE.grace - 5);
  });
});

test('only a service that was started for all addresses follows, and only on the host that it configures', async () => {
  const ours = readlinkSync('/proc/self/ns/net');
  const cases: [listen: string, host: object, boolean][] = [
    ['0.0.0.0', { enforces: true, kind: 'system' }, true],
    ['::', { enforces: true, kind: 'system' }, true],
    ['10.77.0.1', { enforces: true, kind: 'system' }, false],
    ['0.0.0.0', { enforces: false, kind: 'rehearsal' }, false],
    ['0.0.0.0', { enforces: true, kind: 'namespace', exec: async () => ({ stdout: `${ours}\n` }) }, true],
    ['0.0.0.0', { enforces: true, kind: 'namespace', exec: async () => ({ stdout: 'net:[1]\n' }) }, false],
  ];
  for (const [host, driver, answer] of cases) {
    const found = await follows({ host, port: 8080 }, { host: driver } as unknown as Services);
    expect([host, driver, found]).toEqual([host, driver, answer]);
  }
});

test('a socket of IPv6 never takes IPv4', () => {
  expect([sharing('::'), sharing('::1'), sharing('0.0.0.0')].map(({ ipv6Only }) => ipv6Only)).toEqual([
    true,
    true,
    false,
  ]);
});
