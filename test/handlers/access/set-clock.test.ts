// A wall clock that is set, by ten days and by a year, either way: what ends by it ends, and nothing waits until it has caught
// up. Sign-in, sessions and the throttle of codes: sign-in.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduled as expire } from '../../../handlers/scheduled/expire.ts';
import { instant, later, millisecondsLeft } from '../../../shared/ground/clock.ts';
import { deadlineIn } from '../../../shared/ground/machine/uptime.ts';
import { LastUse } from '../../../shared/kernel/access/last-use.ts';
import { endAbandoned } from '../../../shared/platform/uploads/abandoned.ts';
import { STARTS_MOST } from '../../../shared/services/network-boot/boot/start.ts';
import { BootScene } from '../../setup/boot-scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const JUMPS: readonly [string, number][] = [
  ['ten days back', -10 * DAY],
  ['a year back', -365 * DAY],
  ['ten days ahead', 10 * DAY],
  ['a year ahead', 365 * DAY],
];

let scene: BootScene;
beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
});
afterAll(() => scene.house.close());
beforeEach(async () => {
  scene.clocks.wall = 0;
  await scene.write('DELETE FROM boot_attempt');
});

const tick = () =>
  expire.handler({ source: 'groundcrew.ticker', id: 'x', time: '' }, { services: scene.house.services });
const count = async (sql: string, values: string[] = []) => (await scene.house.services.store.all(sql, values)).length;

describe.each(JUMPS)('a clock that is set %s', (_name, jump) => {
  test('ends the boot code on a console and the boot that was authorized', async () => {
    const { code } = await scene.start();
    scene.clocks.wall = jump;
    expect((await scene.authorize(code)).status).toBe(409);
    scene.clocks.wall = 0;
    const { path } = await scene.ready();
    scene.clocks.wall = jump;
    expect((await scene.boot(path)).statusCode).toBe(404);
  });

  test('keeps no host from starting anew, and its menu goes by the boot that began last', async () => {
    for (let n = 1; n < STARTS_MOST; n++) await scene.start();
    const { path } = await scene.ready();
    expect((await scene.boot(path)).statusCode).toBe(200);
    const installed = (await scene.menu()).body;
    scene.clocks.wall = jump;
    expect((await scene.menu()).body).toBe(installed);
    const { code } = await scene.start();
    expect((await scene.menu()).body).not.toBe(installed);
    expect((await scene.authorize(code)).status).toBe(202);
  });

  test('leaves no answer to an Idempotency-Key for ever', async () => {
    const at = instant(later(new Date(), -jump / 1000));
    await scene.write("INSERT INTO idempotency_key VALUES ('a', 'k', 'o', 'h', 'x', ?)", [at]);
    await scene.write("INSERT INTO idempotency_key VALUES ('a', 'new', 'o', 'h', 'x', ?)", [instant(new Date())]);
    await tick();
    expect(await count('SELECT 1 FROM idempotency_key')).toBe(1);
    await scene.write('DELETE FROM idempotency_key');
  });

  test('does not keep the last use of a token from being written', async () => {
    const { token_id } = scene.admin;
    const uses = new LastUse();
    const { store } = scene.house.services;
    for (const at of [new Date(), later(new Date(), jump / 1000)]) {
      uses.note('api_token', token_id, at, '127.0.0.1');
      await uses.flush(store);
      expect(await store.one('SELECT last_used_at FROM api_token WHERE id = ?', [token_id])).toEqual({
        last_used_at: instant(at),
      });
    }
  });

  test('ends an upload of before to which nothing comes', async () => {
    const { store, keys, entropy } = scene.house.services;
    const now = new Date();
    const written = later(now, -jump / 1000);
    const asked: Date[] = [];
    const ended = await endAbandoned(
      { store, keys, entropy, clock: { now: () => now } },
      {
        old: async (before, beyond) => {
          asked.push(before, beyond);
          return ['gone', 'goes-on'];
        },
        lastPieceAt: async (id) => (id === 'gone' ? written : now).getTime(),
        giveUp: async () => ({ action: 'depot.upload.expired', resource_type: 'depot.upload', detail: {} }),
        drop: async () => undefined,
      },
    );
    expect(ended).toEqual(['gone']);
    expect(asked.some((bound, n) => (n === 0 ? written < bound : written > bound))).toBe(true);
  });

  test('changes nothing of a time that is waited for', () => {
    const uptime = { boot: 'boot', milliseconds: () => scene.clocks.uptime };
    const over = deadlineIn({ uptime }, HOUR);
    scene.clocks.wall = jump;
    expect(over()).toBe(false);
    scene.clocks.uptime += HOUR;
    expect(over()).toBe(true);
    scene.clocks.uptime -= HOUR;
    const left = millisecondsLeft(Date.now(), new Date(Date.now() + jump), HOUR);
    expect([0, HOUR]).toContain(left);
  });
});
