// Alerts, the newest first.
import * as v from 'valibot';
import { pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listAlerts } from '../../shared/vcf/alerts/alert-store.ts';
import { ALERTS_PATH, ALERTS_TAG } from '../../shared/vcf/alerts/receivers.ts';
import { alertAnswer, alertListSchema, alertQuery } from '../../shared/vcf/alerts/schemas.ts';

export const operation = defineOperation({
  id: 'listAlerts',
  method: 'GET',
  path: ALERTS_PATH,
  access: { scope: 'read:alerts' },
  tag: ALERTS_TAG,
  summary: 'List alerts',
  description:
    'Alerts, those that were opened last first. A condition of `GET /api/v1/health` becomes one when it has lasted as long as the rules say, and is closed by itself when it has been gone for as long as they say. Closed ones are kept for 90 days, 1000 at most.',
  query: v.strictObject(alertQuery),
  answers: {
    200: { description: 'A page of the alerts; `next_cursor` leads to the next.', schema: alertListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query: { limit, ...asked } }) {
    const { items, next_cursor } = await listAlerts(db, { ...asked, limit: pageLimit(limit) });
    return { body: { items: items.map(alertAnswer), next_cursor } };
  },
});
