// Which services answer, for a monitor on the public side.
import { calledAt } from '../../shared/appliance/overview/called-at.ts';
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { publicStatus, publicStatusSchema } from '../../shared/appliance/overview/public-status.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getPublicStatus',
  method: 'GET',
  path: `${pagePath('public-status')}.json`,
  plane: 'public',
  access: 'public',
  openQuery: 'Monitors add a parameter so that no cache answers.',
  tag: 'Service',
  summary: 'Status of the services',
  description:
    'Which services are in force at the interface that was called, and whether each answered when it was last asked. Nothing answers until the settings of the public pages offer it.',
  answers: { 200: { description: 'The services.', schema: publicStatusSchema } },
  async run({ services, db, request }) {
    await requireOffered(db, 'status');
    return { body: await publicStatus(services, await calledAt(services, request.connection)) };
  },
});
