// Health, for a monitor on the public side.

import { databaseAnswers } from '../../shared/ground/store/health.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getPublicHealth',
  method: 'GET',
  path: '/healthz',
  plane: 'public',
  access: 'public',
  openQuery: 'Monitors add a parameter so that no cache answers.',
  tag: 'Service',
  summary: 'Health',
  description: 'Says whether the service can read its database, and what it wrote reached the disk; and nothing else.',
  answers: {
    200: { description: 'It can, and it did.' },
    503: { description: 'It cannot, or a write failed: start the service again.' },
  },
  async run({ services }) {
    const ok = await databaseAnswers(services.store);
    return { status: ok ? 200 : 503, body: { status: ok ? 'ok' : 'unavailable' } };
  },
});
