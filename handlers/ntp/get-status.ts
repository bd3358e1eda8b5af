// What the time service is doing on the host.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ntpStatus, ntpStatusSchema } from '../../shared/services/ntp/status.ts';

export const operation = defineOperation({
  id: 'getNtpStatus',
  method: 'GET',
  path: '/api/v1/ntp/status',
  access: { scope: 'read:ntp' },
  tag: 'NTP',
  summary: 'Get the status of the time service',
  description:
    'The state of the appliance’s clock and of each source, read from the running service. It shows what is in force, not what is saved. If the service cannot be read, as in a rehearsal, clock and sources are null and a reason is given.',
  answers: {
    200: { description: 'What runs now, and why not where it does not.', schema: ntpStatusSchema, live: true },
  },
  async run({ services }) {
    return { body: await ntpStatus(services.host) };
  },
});
