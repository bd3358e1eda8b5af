// No program of the host runs within a write transaction: it may hang, and every other writer would wait. House holds that
// for every test that uses it; here it is held itself.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { House } from '../setup/house.ts';

let house: House;
let ran = 0;

beforeAll(async () => {
  const exec = async () => {
    ran += 1;
    return { code: 0, stdout: '', stderr: '' };
  };
  house = await House.open({ host: (rehearsal) => ({ ...rehearsal, exec }) });
});
afterAll(() => house.close());

test('a program that is started within a write transaction fails; one beside it runs', async () => {
  const { host, store } = house.services;
  await store.write(async () => {
    await expect(host.exec('dnsmasq', [])).rejects.toThrow('dnsmasq was started within a write transaction');
  });
  expect(ran).toBe(0);
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const writing = store.write(async () => {
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  await host.exec('dnsmasq', []);
  ended.resolve();
  await writing;
  expect(ran).toBe(1);
});
