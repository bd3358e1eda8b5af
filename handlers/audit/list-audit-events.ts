// Lists audit events.
import * as v from 'valibot';
import { described, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { auditListSchema, listAudit } from '../../shared/kernel/audit/list.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const text = (description: string) => v.optional(v.pipe(v.string(), v.maxLength(128), v.description(description)));
const moment = (description: string) =>
  v.optional(v.pipe(v.string(), v.isoTimestamp('Expected an RFC 3339 instant in UTC.'), v.description(description)));

export const operation = defineOperation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/api/v1/audit',
  access: { scope: 'read:audit' },
  tag: 'Audit',
  summary: 'List audit events',
  description:
    'Newest first. Each mutation writes its event in its own transaction; the events are chained by an HMAC, so that a changed or missing one shows in `groundcrew audit verify`.',
  query: v.strictObject({
    ...PAGE_QUERY,
    actor: text('Only events of exactly this actor name.'),
    action: text('Only actions that begin with this: `dns.` or `dns.record.create`.'),
    resource_type: text('Only this type of resource.'),
    resource_id: text('Only this resource.'),
    request_id: text('Only events of this request.'),
    outcome: v.optional(described(v.picklist(['success', 'failure']), 'Only events with this outcome.')),
    since: moment('Inclusive.'),
    until: moment('Exclusive.'),
  }),
  answers: { 200: { description: 'A page of the events; `next_cursor` leads to the next.', schema: auditListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listAudit(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
