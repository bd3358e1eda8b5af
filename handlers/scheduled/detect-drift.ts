// Checks whether the host still matches what was applied.
import { DRIFT_EVERY, detectDrift } from '../../shared/appliance/apply/drift.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'detectDrift',
  every: DRIFT_EVERY,
  description: 'Compares the host with what was applied, unit by unit, and writes down what differs.',
  run: (services) => detectDrift(services, UNITS),
});
