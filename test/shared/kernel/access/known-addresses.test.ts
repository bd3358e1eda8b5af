// Addresses of those who showed who they are are remembered for a while, and never more than a few.
import { expect, test } from '@jest/globals';
import { KnownAddresses, recallAddresses } from '../../../../shared/kernel/access/known-addresses.ts';
import { House } from '../../../setup/house.ts';

test('an address is known for as long as a session may live, from the last time on', () => {
  let now = 0;
  const known = new KnownAddresses(() => now);
  known.note('192.0.2.1');
  now = 8 * 3600_000;
  known.note('192.0.2.1');
  now = 19 * 3600_000;
  expect([known.has('192.0.2.1'), known.has('192.0.2.2')]).toEqual([true, false]);
  now = 20 * 3600_000;
  expect(known.has('192.0.2.1')).toBe(false);
});

test('of too many, those that were quiet for longest are forgotten', () => {
  const known = new KnownAddresses();
  known.note('192.0.2.1');
  for (let at = 0; at < 600; at++) {
    known.note(`198.51.100.${at}`);
    known.note('192.0.2.1');
  }
  expect([known.has('192.0.2.1'), known.has('198.51.100.0'), known.has('198.51.100.599')]).toEqual([true, false, true]);
});

test('whoever is recognised is known, and after a restart from what the database has of the last hours', async () => {
  const house = await House.open();
  const { services } = house;
  const { addresses } = services.lastUse;
  const admin = await house.actor('admin');
  const from = (remote: string) => ({ over: { local: '10.10.0.5', remote } });
  await house.send('GET', '/api/v1/jobs', { token: admin.token, ...from('192.0.2.1') });
  await house.send('GET', '/api/v1/jobs', { token: `${admin.token.slice(0, -1)}x`, ...from('192.0.2.2') });
  await house.send('GET', '/ui/management/sign-in', from('192.0.2.3'));
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => addresses.has(address))).toEqual([
    true,
    false,
    false,
  ]);
  await services.lastUse.flush(services.store);
  const after = async (hours: number) => {
    const known = new KnownAddresses();
    await recallAddresses(services.store, known, new Date(Date.now() + hours * 3600_000));
    return known.has('192.0.2.1');
  };
  expect([await after(0), await after(13)]).toEqual([true, false]);
  await house.close();
});
