// The last found differences between the host and what was applied.
import { driftReport } from '../../shared/appliance/states/drift-report.ts';
import { driftSchema } from '../../shared/appliance/states/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getDrift',
  method: 'GET',
  path: '/api/v1/apply/drift',
  access: { scope: 'read:apply' },
  tag: 'Apply',
  summary: 'Get what the host differs in',
  description:
    'Every few minutes and after each apply, but not while one runs, the host is compared with what was applied: the configuration files of each unit, the links, addresses, MTU and default routes of the interfaces, whether packets are forwarded between those with the role route and from no others, and whether the daemons run. What others added to the host (an address, a route, a file) is not looked for. To undo a difference, make a plan of the unit with `reapply`; where a unit is adoptable, its differences can become the saved values instead.',
  answers: { 200: { description: 'The units in the order of an apply as it is now.', schema: driftSchema } },
  run: async ({ services }) => ({ body: await driftReport(services) }),
});
