// How the appliance is, for monitors that ask for JSON.
import { healthSchema } from '../../shared/appliance/health/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getApplianceHealth',
  method: 'GET',
  path: '/api/v1/health',
  access: { scope: 'read:metrics' },
  tag: 'Service',
  summary: 'Health of the appliance',
  description:
    'Each service with what is pending, applied and last answered, certificates in use, and the conditions that need somebody, from a fixed table. Values from daemons are sampled every 30 seconds; this call runs no program. The answer is 200 also where there are conditions: `status` says so.',
  answers: { 200: { description: 'Services, certificates and conditions.', schema: healthSchema } },
  async run({ services }) {
    const { healthAnswer, healthOf } = await import('../../shared/appliance/health/health.ts');
    return { body: healthAnswer(await healthOf(services)) };
  },
});
