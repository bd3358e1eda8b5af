// The filtered audit log as a CSV file.
import { csvHeaders, csvParts } from '../../shared/ground/csv.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { allPages } from '../../shared/ground/store/pagination.ts';
import { AUDIT_HEAD, auditCells } from '../../shared/kernel/audit/audit-csv.ts';
import { listAudit } from '../../shared/kernel/audit/list.ts';
import { auditFilter, auditPageQuery } from '../../shared/kernel/audit/page-query.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'downloadAuditLog',
  method: 'GET',
  path: `${pagePath('audit-log')}.csv`,
  plane: 'management',
  access: { session: 'read:audit' },
  tag: 'Pages',
  summary: 'Audit log as CSV',
  description: 'All events that match the filter of the page, newest first. They are read as they are sent.',
  query: auditPageQuery,
  openQuery: 'Its link carries the query of its page.',
  answers: { 200: { description: 'The file (RFC 4180).' } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    const { filter } = auditFilter(query);
    const events = allPages((page) => listAudit(db, { ...filter, ...page }));
    return { parts: csvParts(AUDIT_HEAD, events, auditCells), headers: csvHeaders('audit-log') };
  },
});
