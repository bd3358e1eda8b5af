// Numbers for which daemons are asked: taken by the clock and kept, so that no scraper waits for a program and none makes
// the appliance run more of them.
import type { Family } from '../../ground/metrics/exposition.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { dhcpMetrics, dnsMetrics } from '../../services/dns-dhcp/metrics.ts';
import { ntpMetrics } from '../../services/ntp/metrics.ts';
import { depotStore } from '../../services/offline-depot/store.ts';
import { factsBefore } from '../states/comparison.ts';
import { enforcedStandings } from '../states/standing.ts';
import { remember } from './history.ts';
import { diskMetrics } from './process.ts';

interface Sampled {
  at: Date;
  families: Family[];
}

/** By store, so that each appliance of a test has its own. */
const kept = new WeakMap<object, Sampled>();

/** One source that fails leaves the others as they are; the log says which. */
export async function takeSamples(services: Services): Promise<void> {
  const { store, host, clock, logger, settings } = services;
  const at = clock.now();
  const dnsDhcp = (await enforcedStandings(services)).get('dns-dhcp')?.comparison;
  const sources: Record<string, () => Promise<Family[]>> = {
    disks: () => diskMetrics({ data: settings.data, depot: depotStore(host) }),
    dns: async () => (dnsDhcp ? dnsMetrics(host, factsBefore(dnsDhcp)) : []),
    dhcp: () => dhcpMetrics(store, host, at),
    ntp: () => ntpMetrics(host),
  };
  const taken = await Promise.all(
    Object.entries(sources).map(([source, take]) =>
      take().catch((error: Error) => {
        logger.warn('a source of metrics could not be read', { source, failure: { message: error.message } });
        return [];
      }),
    ),
  );
  const families = taken.flat();
  kept.set(store, { at, families });
  await remember(services, [...families, ...(services.traffic?.families() ?? [])]);
}

/** Null before the first look. */
export const lastSamples = ({ store }: Pick<Services, 'store'>): Sampled | null => kept.get(store) ?? null;
