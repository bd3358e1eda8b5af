// The line of strangers, by a clock that the test turns: guesses from everywhere are slowed, and an owner from anywhere gets in.
import { expect, test } from '@jest/globals';
import { HashPlaces } from '../../../../shared/kernel/access/hash-places.ts';
import { type LineTime, LONGEST_PACE, paceAfter, SignInLine } from '../../../../shared/kernel/access/sign-in-line.ts';

/** What a hash takes, milliseconds. */
const HASH = 200;

class Turned implements LineTime {
  #now = 0;
  #wakes: { at: number; wake: () => void }[] = [];

  now = () => this.#now;

  after = (milliseconds: number, wake: () => void) => {
    const mine = { at: this.#now + milliseconds, wake };
    this.#wakes.push(mine);
    return () => {
      this.#wakes = this.#wakes.filter((each) => each !== mine);
    };
  };

  pause = (milliseconds: number) => new Promise<void>((resolve) => void this.after(milliseconds, resolve));

  /** Lets everything happen that is due until then. */
  async go(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    for (;;) {
      await new Promise(setImmediate);
      const next = this.#wakes.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      this.#wakes = this.#wakes.filter((each) => each !== next);
      next.wake();
    }
    this.#now = end;
  }
}

interface Scene {
  time: Turned;
  line: SignInLine;
  /** Milliseconds at which guesses at `admin` were held against its hash. */
  guessed: number[];
  guess(network: string, account?: string): Promise<unknown>;
  /** Seconds until the right password from there is through. */
  enter(network: string, account?: string): Promise<number>;
}

function scene(): Scene {
  const time = new Turned();
  const line = new SignInLine(time);
  const failures = new Map<string, number>();
  const guessed: number[] = [];
  return {
    time,
    line,
    guessed,
    guess: (network, account = 'admin') =>
      line.take({ network, account }, async () => {
        if (account === 'admin') guessed.push(time.now());
        await time.pause(HASH);
        failures.set(account, (failures.get(account) ?? 0) + 1);
        line.failed({ network, account }, failures.get(account)!);
      }),
    async enter(network, account = 'admin') {
      const asked = time.now();
      await line.take({ network, account }, () => time.pause(HASH));
      return (time.now() - asked) / 1000;
    },
  };
}

const ignored = () => undefined;
const COME_BACK = { code: 'too_many_attempts', members: { retry_after: LONGEST_PACE } };

test('the pace of an account grows to five seconds and no further', () => {
  expect([0, 19, 20, 21, 22, 23, 24, 1000, 1e9].map(paceAfter)).toEqual([0, 0, 0.5, 1, 2, 4, 5, 5, 5]);
});

test('40 guesses from each of 40 addresses are slowed, and the owner gets in from a new one within five seconds', async () => {
  const { time, guess, enter, guessed } = scene();
  const attackers = Array.from({ length: 40 }, async (_, n) => {
    for (let attempt = 0; attempt < 40; attempt++) {
      await guess(`10.0.0.${n}`).catch(() => time.pause(LONGEST_PACE * 1000));
    }
  });
  void Promise.all(attackers);
  await time.go(600);
  expect(guessed.length).toBeGreaterThan(100);
  expect(guessed.length).toBeLessThan(21 + 4 + 600 / LONGEST_PACE);
  for (const [n, at] of guessed.entries()) {
    if (n >= 25) expect(at - guessed[n - 1]!).toBeGreaterThanOrEqual(LONGEST_PACE * 1000);
  }
  const waits: number[] = [];
  for (const network of ['192.0.2.1', '2001:db8:1:2::/64']) {
    void enter(network).then((seconds) => waits.push(seconds));
    await time.go(2 * LONGEST_PACE + 1);
  }
  expect(waits).toHaveLength(2);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(LONGEST_PACE + (2 * HASH) / 1000);
});

test('an account that is guessed at does not slow another one', async () => {
  const { time, guess, enter } = scene();
  for (let n = 0; n < 30; n++) {
    void guess(`10.0.0.${n}`);
    await time.go(LONGEST_PACE + 1);
  }
  void guess('10.0.1.1').catch(ignored);
  void guess('10.0.1.2').catch(ignored);
  const through = enter('192.0.2.1', 'somebody-else');
  await time.go(1);
  expect(await through).toBeLessThanOrEqual((2 * HASH) / 1000);
});

test('a network with 65,536 others of its site is one that failed', async () => {
  const { time, guess, enter, guessed } = scene();
  for (let n = 0; n < 30; n++) {
    void guess(`2001:db8:0:${n}::/64`);
    await time.go(LONGEST_PACE + 1);
  }
  const before = guessed.length;
  for (let n = 100; n < 150; n++) void guess(`2001:db8:0:${n}::/64`).catch(ignored);
  const through = enter('2001:db8:1::/64');
  await time.go(2 * LONGEST_PACE);
  expect(await through).toBeLessThanOrEqual(LONGEST_PACE + (2 * HASH) / 1000);
  expect(guessed.length - before).toBeLessThanOrEqual(2);
});

test('with a line full of networks that never failed, whoever is told to come back keeps the place', async () => {
  const { time, guess, enter } = scene();
  for (let n = 0; n < 30; n++) {
    void guess(`10.0.0.${n}`);
    await time.go(LONGEST_PACE + 1);
  }
  const crowd = (first: number) => {
    for (let n = first; n < first + 65; n++) void guess(`10.1.0.${n}`).catch(ignored);
  };
  crowd(0);
  await expect(enter('192.0.2.1')).rejects.toMatchObject(COME_BACK);
  // All of these were there before, and wait no longer than 20 seconds themselves.
  await time.go(21);
  crowd(65);
  const wait = enter('192.0.2.1');
  await time.go(2 * LONGEST_PACE);
  expect(await wait).toBeLessThanOrEqual(LONGEST_PACE + (2 * HASH) / 1000);
});

test('nobody waits longer than 20 seconds for an answer, and no network has more than three in line', async () => {
  const { time, guess } = scene();
  for (let n = 0; n < 30; n++) {
    void guess(`10.0.0.${n}`);
    await time.go(LONGEST_PACE + 1);
  }
  const ends: number[] = [];
  const began = time.now();
  for (let n = 0; n < 30; n++) guess(`10.1.0.${n}`).catch(() => ends.push(time.now() - began));
  for (let n = 0; n < 3; n++) void guess('10.1.1.1').catch(ignored);
  await expect(guess('10.1.1.1')).rejects.toMatchObject({ members: { retry_after: 1 } });
  await time.go(60);
  expect(ends.length).toBeGreaterThan(20);
  expect(Math.max(...ends)).toBeLessThanOrEqual(20_000 + HASH);
});

test('a flood of strangers takes one place for hashes; the other is kept for those who are known', async () => {
  const places = new HashPlaces();
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  const run = (place: 'known' | 'anyone', name: string, work: () => Promise<void> = async () => undefined) =>
    places.run(place, work).then((result) => void done.push(result === null ? `${name} refused` : name));
  const flood = Array.from({ length: 18 }, (_, n) => run('anyone', `stranger ${n}`, () => held.promise));
  await run('known', 'owner');
  await run('known', 'owner again');
  expect(done).toEqual(['stranger 17 refused', 'owner', 'owner again']);
  held.resolve();
  await Promise.all(flood);
  expect(done.slice(3)).toEqual(Array.from({ length: 17 }, (_, n) => `stranger ${n}`));
});
