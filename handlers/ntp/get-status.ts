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
    'How the appliance’s clock stands and what each source says, asked of the running service at this moment. It tells what is in force, not what is saved. Where nothing can be asked, as in a rehearsal, clock and sources are null and the reason is told.',
  answers: {
    200: { description: 'What runs now, and why not where it does not.', schema: ntpStatusSchema, live: true },
  },
  async run({ services }) {
    return { body: await ntpStatus(services.host) };
  },
});
