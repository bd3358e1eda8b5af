// Guessing at the depot's login from many addresses: it keeps nobody out who knows it, and a network of IPv6 is one guesser.
import { randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { DepotLogins } from '../../shared/offline-depot/login.ts';
import type { Database } from '../../shared/store/database.ts';

const RIGHT = 'the password of the depot';

/** Of a hash that costs little. */
function logins(now: () => number = () => 0): DepotLogins {
  const salt = randomBytes(16);
  const key = scryptSync(RIGHT, salt, 32, { N: 1024, r: 8, p: 1 });
  const password_hash = ['scrypt', 1024, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
  return new DepotLogins({ one: async () => ({ password_hash }) } as unknown as Database, now);
}

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
  const known = await depot.verify('depot', '10.0.1.1', { username: 'depot', password: RIGHT });
  await Promise.all(guesses);
  expect(known).toBe('right');
});
