// The alerts of the list as a CSV file.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { alertFilter, listAlerts } from '../../shared/vcf/alerts/alert-store.ts';
import { ALERTS_LIST } from '../../shared/vcf/alerts/list-words.ts';
import { stateOf } from '../../shared/vcf/alerts/schemas.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: ALERTS_LIST,
  path: pagePath('alerts'),
  scope: 'read:alerts',
  by: ['search', 'sort', 'state'],
  head: [
    'id',
    'condition',
    'subject',
    'severity',
    'says',
    'state',
    'since',
    'opened_at',
    'acknowledged_by',
    'acknowledged_at',
    'closed_at',
  ],
  async rows({ db, query }, page) {
    const found = await listAlerts(db, { ...alertFilter(query), ...page });
    return {
      ...found,
      items: found.items.map((alert) => [
        alert.id,
        alert.condition,
        alert.subject,
        alert.severity,
        alert.says,
        stateOf(alert),
        alert.since,
        alert.opened_at,
        alert.acknowledged_by,
        alert.acknowledged_at,
        alert.closed_at,
      ]),
    };
  },
});
