// The last check before an apply: a saved network without a management UI listener is not enforced, however it was
// saved.
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { UnitId } from '../unit-names.ts';
import { loadInterfaces } from './interface.ts';
import { effectiveManagementListeners } from './management-listener.ts';

/** Units that decide where the management UI is to be reached. */
const DECIDING: readonly UnitId[] = ['network', 'firewall'];

/** @throws Problem 409 `state_conflict` when a plan of these units would leave no effective management UI listener. */
export async function requireManagementListener(db: Database, units: readonly { id: UnitId }[]): Promise<void> {
  if (!units.some(({ id }) => DECIDING.includes(id))) return;
  if (effectiveManagementListeners(await loadInterfaces(db)).length > 0) return;
  throw new Problem(
    'state_conflict',
    'No effective management UI listener would be left: give a present, enabled interface with an address the ' +
      'management role, or expose the management UI on an access interface. Then review a new plan.',
  );
}
