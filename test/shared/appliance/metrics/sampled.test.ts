// Looks at daemons, leases and disks: a source that fails is told once, and once more when it is back.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lastSamples, takeSamples } from '../../../../shared/appliance/metrics/sampled.ts';
import { House } from '../../../setup/house.ts';

let house: House;
beforeAll(async () => {
  house = await House.open({ ticker: false });
});
afterAll(() => house.close());

test('the log has what changes, and the other sources are as they are', async () => {
  const { services } = house;
  const said: string[] = [];
  const { logger, settings } = services;
  const listening = {
    ...services,
    logger: {
      warn: (message: string, { source }: { source: string }) => said.push(`${source}: ${message}`),
      info: (message: string, { source }: { source: string }) => said.push(`${source}: ${message}`),
    } as unknown as typeof logger,
  };
  // No file can be made in what is a file itself.
  const broken = { ...listening, settings: { ...settings, data: `${settings.data}/groundcrew.sqlite` } };
  for (let look = 0; look < 3; look++) await takeSamples(broken);
  expect(said).toEqual(['history: a source of metrics could not be read']);
  expect(lastSamples(services)?.families.length).toBeGreaterThan(0);
});

test('a program that hangs is not started again before it has ended', async () => {
  const { services } = house;
  let reads = 0;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const host = {
    ...services.host,
    enforces: true,
    daemonRunning: () => {
      reads++;
      return promise.then(() => false);
    },
  };
  const looks = [takeSamples({ ...services, host }), takeSamples({ ...services, host })];
  await looks[1];
  expect(reads).toBe(1);
  resolve(null);
  await looks[0];
  await takeSamples({ ...services, host });
  expect(reads).toBe(2);
});
