// The refused rows of an import as a CSV file.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { notFound } from '../../../shared/ground/problems.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findJob, jobNotes } from '../../../shared/kernel/jobs/job.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { REFUSED_KEPT } from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import { type RefusedRows, refusedCsv } from '../../../shared/services/dns-dhcp/dns/import/refused.ts';

export const operation = defineOperation({
  id: 'downloadRefusedDnsRows',
  method: 'GET',
  path: `${pagePath('dns')}/imports/{job_id}/refused.csv`,
  plane: 'management',
  access: { session: 'read:dns' },
  tag: 'Pages',
  summary: 'Refused rows of an import as CSV',
  description: `The first ${REFUSED_KEPT} faults of an import, by line, for a spreadsheet.`,
  params: idParam('job_id', 'Id of the job.'),
  answers: { 200: { description: 'The file (RFC 4180).' } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const { id } = await findJob(db, params.job_id);
    const { refused } = (await jobNotes<unknown, { refused?: RefusedRows }>(db, id)).kept;
    if (!refused) throw notFound('A list of refused rows');
    return {
      html: refusedCsv(refused),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="refused.csv"',
      },
    };
  },
});
