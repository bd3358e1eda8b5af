// Guessing at the depot's login from many addresses: it keeps nobody out who knows it, and a network of IPv6 is one guesser.
import { randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Database } from '../../shared/ground/store/database.ts';
import { verifyPassword } from '../../shared/kernel/access/password.ts';
import { DepotLogins } from '../../shared/services/offline-depot/serving/login.ts';

const RIGHT = 'the password of the depot';

/** A hash that costs little. */
function cheap(): string {
  const salt = randomBytes(16);
  const key = scryptSync(RIGHT, salt, 32, { N: 1024, r: 8, p: 1 });
  return ['scrypt', 1024, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
}

function logins(now: () => number = () => 0): DepotLogins {
  const password_hash = cheap();
  return new DepotLogins({ one: async () => ({ password_hash }) } as unknown as Database, now);
}

const known = { username: 'depot', password: RIGHT };
const wrong = () => ({ username: 'depot', password: `wrong ${randomBytes(8).toString('hex')}` });

test('the addresses of one IPv6 network share what they may guess', async () => {
  const depot = logins();
  const results = [];
  for (let n = 1; n <= 20; n++) results.push(await depot.verify('depot', `fd00:10::bad:${n.toString(16)}`, wrong()));
  expect(results.filter((result) => result === 'wrong').length).toBeLessThanOrEqual(10);
});

test('who knows the password is let in while others guess from many addresses', async () => {
  const depot = logins();
  const guesses = Array.from({ length: 8 }, (_none, n) => depot.verify('depot', `10.0.0.${n + 1}`, wrong()));
  await new Promise((resolve) => setImmediate(resolve));
  const result = await depot.verify('depot', '10.0.1.1', known);
  await Promise.all(guesses);
  expect(result).toBe('right');
});

test('who never failed goes before those who guess, and a guesser who fills the line is told to wait', async () => {
  const depot = logins();
  const told: string[] = [];
  const ask = (from: string, login = wrong()) =>
    depot.verify('depot', from, login).then((result) => {
      told.push(typeof result === 'string' ? `${from} ${result}` : `${from} waits`);
    });
  await ask('10.0.0.9');
  const all = [...Array.from({ length: 6 }, () => ask('10.0.0.9')), ask('10.0.1.1', known)];
  await Promise.all(all);
  expect(told.slice(1, 4)).toEqual(['10.0.0.9 waits', '10.0.0.9 wrong', '10.0.1.1 right']);
});

test('an appliance that keeps asking with an old password is no guesser, and keeps nobody of its network out', async () => {
  const depot = logins();
  const old = wrong();
  for (let n = 0; n < 50; n++) expect(await depot.verify('depot', 'fd00:10::5', old)).toBe('wrong');
  expect(await depot.verify('depot', 'fd00:10::6', known)).toBe('right');
});

test('while strangers have no place for another hash, a login is told to wait', async () => {
  const depot = logins();
  const flood = Array.from({ length: 17 }, () => verifyPassword(RIGHT, cheap()));
  expect(await depot.verify('depot', '10.0.1.1', known)).toEqual({ wait_seconds: 5 });
  await Promise.all(flood);
  expect(await depot.verify('depot', '10.0.1.1', known)).toBe('right');
});
