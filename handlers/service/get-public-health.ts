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
  description: 'Says whether the service can read its database, and nothing else.',
  answers: {
    200: { description: 'It can.' },
    503: { description: 'It cannot.' },
  },
  async run({ db }) {
    const ok = await databaseAnswers(db);
    return { status: ok ? 200 : 503, body: { status: ok ? 'ok' : 'unavailable' } };
  },
});
