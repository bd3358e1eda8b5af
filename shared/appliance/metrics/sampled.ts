// Numbers for which daemons are asked: taken by the clock and kept, so that no scraper waits for a program and none makes
// the appliance run more of them.
import type { Family } from '../../ground/metrics/exposition.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { dhcpMetrics, dnsMetrics } from '../../services/dns-dhcp/metrics.ts';
import { ntpMetrics } from '../../services/ntp/metrics.ts';
import { depotStore } from '../../services/offline-depot/store.ts';
import { storageMetrics } from '../../services/storage/usage.ts';
import { factsBefore } from '../states/comparison.ts';
import { enforcedStandings } from '../states/standing.ts';
import { rememberGrowth } from './growth.ts';
import { remember } from './history.ts';
import { diskMetrics } from './process.ts';

export type Source = 'disks' | 'dns' | 'dhcp' | 'ntp' | 'storage';

export interface Sampled {
  at: Date;
  families: Family[];
  /** Sources that could not be read at this look. */
  failed: ReadonlySet<Source>;
}

/** By store, so that each appliance of a test has its own. */
const kept = new WeakMap<object, Sampled>();

/** Milliseconds that a source may take: a disk that hangs must not end the others. */
const PATIENCE_MS = 20_000;
/** Sources that failed at the last look, by store: the log has what changes, not a line at every look. */
const failing = new WeakMap<object, Set<string>>();

/** Sources of a look before that have not ended, by store. */
const hanging = new WeakMap<object, Set<string>>();

/** One source that fails, or hangs, leaves the others as they are; the log says which. */
export async function takeSamples(services: Services): Promise<void> {
  const { store, host, clock, settings } = services;
  const at = clock.now();
  const standings = await enforcedStandings(services);
  const factsOf = (unit: UnitId) => {
    const compared = standings.get(unit)?.comparison;
    return compared ? factsBefore(compared) : null;
  };
  const inForce = factsOf('dns-dhcp');
  const sources: Record<Source, () => Promise<Family[]>> = {
    disks: () => diskMetrics({ data: settings.data, depot: depotStore(host) }),
    dns: () => dnsMetrics(host, inForce),
    dhcp: () => dhcpMetrics(host, inForce, at),
    ntp: () => ntpMetrics(host),
    storage: () => storageMetrics(host, factsOf('storage')),
  };
  const taken = await Promise.all(
    Object.entries(sources).map(([source, take]) =>
      attempt(services, source, () => withPatience(store, source, take), []),
    ),
  );
  const families = taken.flat();
  const missed = failing.get(store) ?? new Set();
  const failed = new Set((Object.keys(sources) as Source[]).filter((source) => missed.has(source)));
  kept.set(store, { at, families, failed });
  const counted = services.traffic?.families() ?? [];
  await attempt(services, 'growth', () => rememberGrowth(services, families), undefined);
  await attempt(services, 'history', () => remember(services, [...families, ...counted]), undefined);
}

async function attempt<T>({ store, logger }: Services, source: string, work: () => Promise<T>, instead: T): Promise<T> {
  const failed = failing.get(store) ?? new Set();
  failing.set(store, failed);
  try {
    const done = await work();
    if (failed.delete(source)) logger.info('a source of metrics can be read again', { source });
    return done;
  } catch (error) {
    const failure = { message: (error as Error).message };
    if (!failed.has(source)) logger.warn('a source of metrics could not be read', { source, failure });
    failed.add(source);
    return instead;
  }
}

/** What hangs is not begun again: a disk that does not answer would take one thread after the other. */
function withPatience<T>(store: object, source: string, take: () => Promise<T>): Promise<T> {
  const begun = hanging.get(store) ?? new Set();
  hanging.set(store, begun);
  if (begun.has(source)) return Promise.reject(new Error('it hangs since an earlier look'));
  begun.add(source);
  const { promise, reject } = Promise.withResolvers<never>();
  const over = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  const work = take().finally(() => begun.delete(source));
  return Promise.race([work, promise]).finally(() => clearTimeout(over));
}

/** Null before the first look. */
export const lastSamples = ({ store }: Pick<Services, 'store'>): Sampled | null => kept.get(store) ?? null;
