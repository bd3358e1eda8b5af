// The filtered audit log as a CSV file.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { auditCsv } from '../../shared/kernel/audit/audit-csv.ts';
import { listAudit } from '../../shared/kernel/audit/list.ts';
import { auditFilter, auditPageQuery } from '../../shared/kernel/audit/page-query.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

/** More than a person reads; a program pages through the API. */
const MOST_ROWS = 10_000;

export const operation = defineOperation({
  id: 'downloadAuditLog',
  method: 'GET',
  path: `${pagePath('audit-log')}.csv`,
  plane: 'management',
  access: { session: 'read:audit' },
  tag: 'Pages',
  summary: 'Audit log as CSV',
  description: `The events that match the filter of the page, newest first, at most ${MOST_ROWS}.`,
  query: auditPageQuery,
  openQuery: 'Its link carries the query of its page.',
  answers: { 200: { description: 'The file (RFC 4180).' } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    const { filter } = auditFilter(query);
    const { items } = await listAudit(db, { ...filter, cursor: undefined, limit: MOST_ROWS });
    return {
      html: auditCsv(items),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="audit-log.csv"',
      },
    };
  },
});
