// What the lists of interfaces and VLANs show, for their files. What units make of what was saved is much to load with a handler.
import type { LineQuery } from '../../shared/appliance/states/find-lines.ts';
import type { Line } from '../../shared/appliance/states/interface-lines.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';

export type SavedLine = Line & { saved: NetworkInterface };

/** Lines that the list shows and that are saved: what is only in force any more has nothing to write down. */
export async function savedLines(services: Services, query: LineQuery): Promise<SavedLine[]> {
  const [{ enforcedStandings }, { loadStanding }, { matching }] = await Promise.all([
    import('../../shared/appliance/states/standing.ts'),
    import('../../shared/appliance/states/interface-lines.ts'),
    import('../../shared/appliance/states/find-lines.ts'),
  ]);
  const { lines } = await loadStanding({ services, standings: await enforcedStandings(services) });
  return matching(lines, query).filter((line): line is SavedLine => line.saved !== null);
}

/** A host has few of them, so they are one page: each stands in the file as of the same moment. */
export const whole = <Row>(items: Row[]): Page<Row> => ({ items, next_cursor: null });
