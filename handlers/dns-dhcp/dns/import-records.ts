// Imports a file of many DNS records as one job.
import * as v from 'valibot';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { mediaType } from '../../../shared/kernel/operation/middleware/body.ts';
import {
  FILE_BYTES,
  REFUSED_KEPT,
  ROWS_MOST,
  type RowsType,
  WAITING_MOST,
} from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import { queueTaken, type Taken, takeFile } from '../../../shared/services/dns-dhcp/dns/import/take.ts';
import { BULK_MAX, recordCreateSchema, recordsImportSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'importDnsRecords',
  method: 'POST',
  path: '/api/v1/dns/records/import',
  access: { scope: 'write:dns' },
  effect: 'queues-job',
  tag: 'DNS',
  summary: 'Import many records',
  description: `Queues a durable job that creates 1 to ${ROWS_MOST} records, all of them or none, by the rules of a single one; each is also held against those before it. Up to ${BULK_MAX} are created and answered at once by \`POST /api/v1/dns/records/bulk\`. The body is a JSON list, or CSV (RFC 4180, UTF-8) whose first line names the columns in any order: fqdn, type, value, and where wanted description and enabled; names are full names. Columns owner and updated_at, which a downloaded list has, are passed over. The job checks all rows first, which keeps nobody from working. Then it owns everything while one transaction saves all rows with one audit event: other mutations are refused with 423 meanwhile, and those that are not, such as signing in, wait until it is over. When rows are refused, the job fails, names the first 100 faults with pointers such as \`/3/value\`, says how many rows are refused, and nothing is saved; the first ${REFUSED_KEPT} can be downloaded from its page. It can be stopped until it saves. At most ${WAITING_MOST} imports may wait. The host follows at the next reviewed apply.`,
  query: v.strictObject({
    check_only: v.optional(
      v.pipe(
        v.picklist(['true', 'false'], 'Expected true or false.'),
        v.description('True: the job says what would happen to the rows, and saves nothing.'),
      ),
    ),
  }),
  binary: true,
  media: { 'application/json': v.array(recordCreateSchema), 'text/csv': null },
  bodyLimit: FILE_BYTES,
  answers: { 202: { description: 'The job that imports.', schema: recordsImportSchema, located: true } },
  problems: ['state_conflict', 'too_many_attempts'],
  audit: ['dns.record.queue_import'],
  prepare: ({ services, body, request }): Promise<Taken> =>
    takeFile(services, body as Buffer, mediaType(request.headers['content-type'] ?? '') as RowsType),
  release: (prepared) => (prepared as Taken).leave(),
  async run({ tx, services, actor, audit, query, prepared }) {
    const shell = { tx, services, actor, audit };
    const job_id = await queueTaken(shell, prepared as Taken, query.check_only === 'true');
    return { status: 202, body: { job_id }, headers: { location: `/api/v1/jobs/${job_id}` } };
  },
});
