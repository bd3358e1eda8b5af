// Signing in while somebody guesses, and while clocks are set: who waits, for how long, and what is remembered.
import { randomBytes, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduled } from '../../../handlers/scheduled/expire.ts';
import { instant, later } from '../../../shared/ground/clock.ts';
import { createUser } from '../../../shared/kernel/access/user.ts';
import { updateUser } from '../../../shared/kernel/access/user-changes.ts';
import { noteMisfit, refuseHasty } from '../../../shared/services/network-boot/boot/authorize-throttle.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const SIGN_IN = '/ui/management/sign-in';
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Where all of it begins, and how far the wall clock and the uptime have gone from there, seconds. */
const START = new Date('2026-03-01T12:00:00Z');
let wall = 0;
let uptime = 0;
let boot = 'boot-1';
let house: House;
let admin: Credentials;

const clock = { now: () => later(START, wall) };

beforeAll(async () => {
  const machine = {
    get boot() {
      return boot;
    },
    milliseconds: () => uptime * 1000,
  };
  house = await House.open({ services: { clock, uptime: machine }, ticker: false });
  await house.services.store.write((tx) =>
    createUser(tx, house.services, { name: 'admin', role: 'admin', password_hash: cheap(PASSWORD) }),
  );
});
afterAll(() => house.close());
beforeEach(async () => {
  wall += 2 * DAY;
  uptime += 2 * DAY;
  await expire();
});

const expire = () =>
  scheduled.handler({ source: 'groundcrew.ticker', id: 'expire', time: '' }, { services: house.services });

/** A hash that costs little. */
function cheap(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 });
  return ['scrypt', 2, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
}

const goOn = (seconds: number) => {
  wall += seconds;
  uptime += seconds;
};

const from = (remote: string, username: string, password: string) =>
  house.send('POST', SIGN_IN, {
    raw: new URLSearchParams({ username, password }).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    over: { local: '127.0.0.1', remote },
  });

const rows = () => house.services.store.all<{ key: string; failures: number }>('SELECT * FROM sign_in_throttle');

/** So many strangers fail, one after the other, each when it is the turn of it. */
async function attacked(name: string, strangers: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < strangers; n++) {
    statuses.push((await from(`198.51.100.${n}`, name, 'a wrong password')).status);
    goOn(5);
  }
  return statuses;
}

describe('an account that strangers guess at', () => {
  test('makes strangers wait for their turn, and nobody who signed in from there before', async () => {
    for (const address of ['192.0.2.10', '2001:db8:1:2::10']) {
      expect((await from(address, 'admin', PASSWORD)).status).toBe(303);
    }
    expect(new Set(await attacked('admin', 25))).toEqual(new Set([401]));
    goOn(-4);
    const order: string[] = [];
    const stranger = from('203.0.113.1', 'admin', PASSWORD).then((heard) => order.push(`stranger ${heard.status}`));
    for (const address of ['192.0.2.10', '2001:db8:1:2:ffff::99']) {
      order.push(`known ${(await from(address, 'admin', PASSWORD)).status}`);
    }
    goOn(4);
    // Whoever comes next lets the line look at the turned clock.
    await from('203.0.113.2', 'nobody', 'a wrong password');
    await stranger;
    expect(order).toEqual(['known 303', 'known 303', 'stranger 303']);
  });

  test('is slowed alike whether it exists or not, and the name is written nowhere', async () => {
    const counted: unknown[] = [];
    for (const name of ['admin', 'pa55word-typed-here']) {
      expect(await attacked(name, 3)).toEqual([401, 401, 401]);
      const [account, ...more] = (await rows()).filter(({ key }) => key.startsWith('account '));
      counted.push([account!.failures, more.length]);
      expect(JSON.stringify(await rows())).not.toContain(name);
      await house.services.store.write((tx) => tx.run('DELETE FROM sign_in_throttle'));
    }
    expect(counted[0]).toEqual(counted[1]);
  });

  test('a /64 of IPv6 is one guesser', async () => {
    const statuses: number[] = [];
    for (let n = 1; n < 8; n++) statuses.push((await from(`2001:db8:5:6::${n}`, 'admin', 'a wrong one')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('a new password makes every network a stranger', async () => {
    const known = () => house.services.store.all('SELECT network FROM known_network');
    await from('192.0.2.10', 'admin', PASSWORD);
    expect(await known()).not.toEqual([]);
    await house.services.store.write(async (tx) => {
      const { id } = (await tx.one<{ id: string }>("SELECT id FROM user WHERE name = 'admin'"))!;
      await updateUser(tx, house.services, id, { password_hash: cheap(PASSWORD) }, null);
    });
    expect(await known()).toEqual([]);
  });

  test('16 networks of a user are known, for 30 days', async () => {
    for (let n = 0; n < 20; n++) await from(`192.0.2.${n}`, 'admin', PASSWORD);
    await expire();
    const count = async () =>
      (await house.services.store.one<{ n: number }>('SELECT count(*) AS n FROM known_network'))!.n;
    expect(await count()).toBe(16);
    goOn(1);
    await from('192.0.2.99', 'admin', PASSWORD);
    await expire();
    expect(await house.services.store.all("SELECT 1 FROM known_network WHERE network = '192.0.2.99'")).toHaveLength(1);
    goOn(31 * DAY);
    await expire();
    expect(await count()).toBe(0);
  });

  test('the table of failures is bounded', async () => {
    const bulk = `INSERT INTO sign_in_throttle (key, failures, last_failure_at)
      WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 12000)
      SELECT 'pair ' || value, 1, ? FROM n`;
    await house.services.store.write((tx) => tx.run(bulk, [instant(clock.now())]));
    await expire();
    expect(await rows()).toHaveLength(10_000);
    goOn(16 * 60);
    await expire();
    expect(await rows()).toHaveLength(0);
  });
});

describe.each([
  ['ten days back', -10 * DAY],
  ['a year back', -365 * DAY],
  ['ten days ahead', 10 * DAY],
  ['a year ahead', 365 * DAY],
])('a clock that is set %s', (_name, jump) => {
  test('makes no wait longer than its own limit', async () => {
    const { store } = house.services;
    for (let n = 0; n < 12; n++) {
      await from('198.51.100.77', 'admin', 'a wrong one');
      goOn(61);
    }
    expect((await from('198.51.100.77', 'admin', 'a wrong one')).status).toBe(401);
    expect((await from('198.51.100.77', 'admin', PASSWORD)).headers['retry-after']).toBe('60');
    for (let n = 0; n < 9; n++) await store.write((tx) => noteMisfit(tx, 'user_a', clock.now()));
    const hasty = () => store.write((tx) => refuseHasty(tx, 'user_a', clock.now()));
    await expect(hasty()).rejects.toMatchObject({ members: { retry_after: 60 } });
    wall += jump;
    await hasty();
    expect((await from('198.51.100.77', 'admin', PASSWORD)).status).toBe(303);
    await expire();
    expect(await rows()).toEqual([]);
  });

  test('ends sessions', async () => {
    admin = await house.actor('admin');
    const look = async () => (await house.send('GET', '/ui/management/jobs', { session: admin })).status;
    expect(await look()).toBe(200);
    wall += jump;
    expect(await look()).toBe(303);
    await expire();
    expect(await house.services.store.all('SELECT 1 FROM session')).toEqual([]);
  });
});

describe('a session', () => {
  const alive = async () => (await house.send('GET', '/ui/management/jobs', { session: admin })).status === 200;
  /** Somebody at work: a request every few minutes. */
  async function work(seconds: number): Promise<void> {
    goOn(seconds);
    await house.services.store.write((tx) => tx.run('UPDATE session SET last_seen_at = ?', [instant(clock.now())]));
  }
  beforeEach(async () => {
    admin = await house.actor('admin');
  });

  test('outlives a clock that is set by seconds', async () => {
    wall -= 30;
    expect(await alive()).toBe(true);
  });

  test('ends after 12 hours of uptime, however often the clock is set back meanwhile', async () => {
    for (let hours = 0; hours < 11; hours++) {
      await work(HOUR);
      wall -= HOUR - 30;
      await work(0);
      expect(await alive()).toBe(true);
    }
    await work(HOUR + 1);
    expect(await alive()).toBe(false);
  });

  test('goes on after a restart of the machine, by the wall clock', async () => {
    boot = 'boot-2';
    uptime = 0;
    expect(await alive()).toBe(true);
    await work(12 * HOUR + 1);
    expect(await alive()).toBe(false);
  });
});
