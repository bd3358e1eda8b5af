// Compares the host with what was applied now, instead of at the next time of the clock.
import { type Comparison, compareHost, recordComparison } from '../../shared/appliance/apply/drift.ts';
import { driftReport } from '../../shared/appliance/states/drift-report.ts';
import { driftSchema } from '../../shared/appliance/states/schemas.ts';
import { enforcedStandings } from '../../shared/appliance/states/standing.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'compareDrift',
  method: 'POST',
  path: '/api/v1/apply/drift/compare',
  access: { scope: 'write:apply' },
  effect: 'immediate',
  tag: 'Apply',
  summary: 'Compare the host now',
  description:
    'Compares the host with what was applied, unit by unit, as the clock does every few minutes, and answers what differs. Nothing on the host changes. Changes application state immediately: the drift report.',
  answers: { 200: { description: 'The units in the order of an apply as they are now.', schema: driftSchema } },
  audit: ['drift.compare'],
  async prepare({ services }) {
    // Whatever has to be rendered for the report is rendered before the transaction.
    await enforcedStandings(services);
    return compareHost(services, UNITS);
  },
  async run({ services, tx, prepared, audit, afterCommit }) {
    const changed = await recordComparison(tx, services, prepared as Comparison);
    if (changed) afterCommit(() => services.notify('pending'));
    const report = await driftReport(services, tx);
    const drifted = report.items.filter(({ state }) => state === 'drifted').map(({ unit }) => unit);
    audit({ action: 'drift.compare', resource_type: 'appliance', resource_id: null, detail: { drifted } });
    return { body: report };
  },
});
