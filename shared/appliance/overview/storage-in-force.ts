// What of storage is in force.
import type { Services } from '../../kernel/operation/services.ts';
import type { Facts } from '../../platform/units/facts.ts';

/** Null: nothing of it was applied. */
export async function storageInForce(services: Services): Promise<Facts | null> {
  // Compares all units: loaded when somebody asks.
  const [{ enforcedStandings }, { factsBefore }] = await Promise.all([
    import('../states/standing.ts'),
    import('../states/comparison.ts'),
  ]);
  const compared = (await enforcedStandings(services)).get('storage')?.comparison;
  return compared ? factsBefore(compared) : null;
}
