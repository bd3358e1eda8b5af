// A day and a month of numbers, as a busy lab has them: what the charts are drawn from where a look is taken at them.
import { join } from 'node:path';
import { LAYOUT, SERIES, type SeriesKey } from '../../shared/appliance/metrics/history.ts';
import { HISTORY_FILE } from '../../shared/appliance/metrics/history-file.ts';
import { takeSamples } from '../../shared/appliance/metrics/sampled.ts';
import { Ring } from '../../shared/ground/metrics/ring.ts';
import type { House } from './house.ts';

const DAY = 86_400;

/** Each goes up and down once a day; the machine was off for two hours. */
function numberFor(key: SeriesKey, at: number): number {
  const day = (1 + Math.sin((2 * Math.PI * at) / DAY)) / 2;
  const noise = ((at / 300) * 7919) % 13;
  const values: Record<SeriesKey, number> = {
    requests: 20 + 60 * day + noise,
    names: 800 + 2_400 * day + 30 * noise,
    time: 64 + noise,
    leases: 120 + Math.round(40 * day),
    offset: 0.05 + 0.02 * noise,
    processors: 4 + 20 * day + noise,
    memory: 41 + 3 * day,
    disk: 37.2 + (at % (30 * DAY)) / (6 * DAY),
  };
  return values[key];
}

export async function furnishHistory({ services }: Pick<House, 'services'>): Promise<void> {
  const ring = new Ring(join(services.settings.data, HISTORY_FILE), LAYOUT);
  const now = Math.floor(services.clock.now().getTime() / 1000);
  for (let at = now - 3 * DAY; at < now; at += 300) {
    if (at > now - 9 * 3_600 && at < now - 7 * 3_600) continue;
    await ring.append({ at, values: SERIES.map(({ key }) => numberFor(key, at)) });
  }
  await takeSamples(services);
}
