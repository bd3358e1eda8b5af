// The form that takes a file of many records, and leads to the job that imports them.
import * as v from 'valibot';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { FILE_BYTES } from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import { queueTaken, type Taken, takeFile } from '../../../shared/services/dns-dhcp/dns/import/take.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { operation as importRecords } from './import-records.ts';

const { summary, description, tag } = importRecords.spec;
/** What a form has besides its file. */
const BESIDES = 64 << 10;

export const operation = defineForm(
  {
    id: 'importDnsRecordsFileForm',
    path: `${pageRoute('dns-zone')}/import-file`,
    access: { session: 'write:dns' },
    effect: 'queues-job',
    tag,
    summary,
    description,
    params: idParam('zone_id', 'Id of the zone whose page it is.'),
    body: v.strictObject({
      file: v.pipe(v.string(), v.minLength(1, 'Choose a file.')),
      check_only: v.boolean(),
    }),
    bodyLimit: FILE_BYTES + BESIDES,
    problems: ['resource_not_found', 'state_conflict', 'too_many_attempts'],
    audit: ['dns.record.queue_import'],
    async prepare({ services, params, body }): Promise<Taken> {
      await findItem(services.store, dnsZones, params.zone_id);
      const bytes = Buffer.from(body.file, 'base64');
      return takeFile(services, bytes, looksLikeJson(bytes) ? 'application/json' : 'text/csv');
    },
    release: (prepared) => (prepared as Taken).leave(),
    async run({ tx, services, actor, audit, body, prepared }) {
      const shell = { tx, services, actor, audit };
      const job_id = await queueTaken(shell, prepared as Taken, body.check_only);
      return { status: 202, body: { job_id } };
    },
  },
  {
    page: `${pageRoute('dns-zone')}/import`,
    files: ['file'],
    secret: ['file'],
    decode: (fields) => ({ file: fields.text('file'), check_only: fields.checked('check_only') }),
    done: ({ body }) => ({ location: pagePath('job', (body as { job_id: string }).job_id) }),
  },
);

/** A list begins with a bracket, and no column has one in its name. */
const looksLikeJson = (bytes: Buffer): boolean => /^\ufeff?\s*\[/.test(bytes.toString('utf8', 0, 256));
