// The form that takes records: pasted lines, or a file. A preview says what becomes of each row; what it was of is saved at once, or
// by a job where there are more rows than one request should save.
import * as v from 'valibot';
import { instant } from '../../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { type FieldError, invalid, Problem } from '../../../shared/ground/problems.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { LargeBodies } from '../../../shared/kernel/operation/large-bodies.ts';
import type { Services } from '../../../shared/kernel/operation/services.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { changedMeanwhile } from '../../../shared/platform/units/import-answer.ts';
import { IMPORT_BYTES } from '../../../shared/platform/units/import-rows.ts';
import { importSchema, type RowsImported } from '../../../shared/platform/units/import-schemas.ts';
import {
  type Checked,
  type Compared,
  checkedRows,
  compared,
} from '../../../shared/services/dns-dhcp/dns/import/checked.ts';
import { FILE_BYTES } from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import { previewOf } from '../../../shared/services/dns-dhcp/dns/import/preview.ts';
import { typeOf } from '../../../shared/services/dns-dhcp/dns/import/rows.ts';
import { queueTaken, type Taken, takeKept } from '../../../shared/services/dns-dhcp/dns/import/take.ts';
import { keepFile, NAME, textOfFile } from '../../../shared/services/dns-dhcp/dns/import/waiting-file.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { BULK_MAX } from '../../../shared/services/dns-dhcp/schemas.ts';
import { IMPORT_FORM, importFields, savedWords } from '../../forms/import-form.ts';
import { operation as createRecords, NAMED } from './create-records.ts';

/** What a form has besides its file. */
const BESIDES = 64 << 10;

/** What a preview answers beside its rows, or what was sent to a job. */
type Body = Partial<RowsImported> & { csv?: string | null; held?: string | null; job_id?: string };

interface Prepared {
  checked: Checked | null;
  preview: Body | null;
  taken: Taken | null;
}

export const operation = defineForm(
  {
    of: createRecords,
    id: 'importDnsRecordsForm',
    path: `${pageRoute('dns-zone')}/import`,
    params: idParam('zone_id', 'Id of the zone.'),
    body: v.strictObject({
      csv: v.string(),
      held: v.optional(v.pipe(v.string(), v.regex(NAME, 'Expected what a preview kept.'))),
      previewed: importSchema.entries.previewed,
    }),
    bodyLimit: FILE_BYTES + BESIDES,
    problems: ['resource_not_found', 'already_exists', 'state_conflict', 'too_many_attempts'],
    audit: ['dns.record.create_many', 'dns.record.queue_import'],
    async prepare({ services, params, body, request }): Promise<Prepared> {
      // A zone that was deleted meanwhile must not be imported into by its name.
      const { name: zone } = await findItem(services.store, dnsZones, params.zone_id);
      const large = body.held !== undefined || body.csv.length > IMPORT_BYTES;
      const letGo = large ? await places.take() : undefined;
      try {
        return await preparedRows(services, { ...body, zone, dry_run: request.dry_run });
      } finally {
        letGo?.();
      }
    },
    release: async (prepared) => (prepared as Prepared).taken?.leave(),
    async run(context) {
      const { tx, services, actor, audit, body, prepared } = context;
      const { checked, preview, taken } = prepared as Prepared;
      if (preview) return { body: preview, unchanged: true };
      if (taken) {
        const job_id = await queueTaken({ tx, services, actor, audit }, taken, false);
        context.afterCommit(() => services.notify('jobs'));
        return { body: { job_id } };
      }
      const { clock, entropy } = services;
      const told = await compared(tx, checked!, { into: { tx, entropy, now: instant(clock.now()) } });
      if (checked!.refused.rows > 0) atRows(checked!.refused.problem());
      if (told.previewed !== body.previewed) throw changedMeanwhile();
      const saved = previewOf(checked!, told);
      if (saved.new === 0) return { body: saved, unchanged: true };
      audit({
        action: 'dns.record.create_many',
        resource_type: 'dns_record',
        resource_id: null,
        detail: auditedOf(checked!, told),
      });
      return { body: saved };
    },
  },
  {
    ...IMPORT_FORM,
    decode(fields) {
      const { csv, previewed } = importFields(fields);
      return { csv, previewed, held: fields.text('held') || undefined };
    },
    faults: (fields) => [
      ...IMPORT_FORM.faults!(fields),
      ...(['file', 'csv', 'held'].every((name) => fields.text(name) === '')
        ? [{ pointer: '/csv', detail: 'The file is missing or empty.' }]
        : []),
    ],
    done({ body }, _fields, params) {
      const { job_id, ...saved } = body as Body;
      if (job_id !== undefined) return { location: pagePath('job', job_id) };
      const flash = savedWords(saved as RowsImported, 'record', 'records');
      return { location: pagePath('dns-zone', params.zone_id!), flash };
    },
  },
);

/** Rows of large files are held against the rules of a few requests at once: a name of a few bytes takes as much memory as its file. */
const places = new LargeBodies();

interface Asked {
  csv: string;
  held?: string | undefined;
  previewed?: string | undefined;
  zone: string;
  dry_run: boolean;
}

async function preparedRows(services: Services, { csv, held, previewed, zone, dry_run }: Asked): Promise<Prepared> {
  const byJob = async (name: string): Promise<Prepared> => {
    return { checked: null, preview: null, taken: await takeKept(services, name, { zone, previewed: previewed! }) };
  };
  if (held !== undefined && csv === '' && !dry_run) return byJob(held);
  const text = csv === '' && held !== undefined ? await textOfFile(services, held) : csv;
  const checked = await checkedRows({ text, type: typeOf(text), zone }).catch(atRows);
  if (dry_run) return { checked: null, preview: await previewOfText(services, text, checked), taken: null };
  if (isLarge(text, checked)) return byJob((await keepFile(services, Buffer.from(text))).name);
  return { checked, preview: null, taken: null };
}

const isLarge = (text: string, { rows }: Checked): boolean =>
  rows.length > BULK_MAX || Buffer.byteLength(text) > IMPORT_BYTES;

/** Small texts are shown again; others wait on the disk, so that they need not be chosen twice. */
async function previewOfText(services: Services, text: string, checked: Checked): Promise<Body> {
  const told = previewOf(checked, await compared(services.store, checked, { into: null }));
  if (!isLarge(text, checked)) return { ...told, csv: text, held: null };
  const saves = told.refused === 0 && told.new > 0;
  return { ...told, csv: null, held: saves ? (await keepFile(services, Buffer.from(text))).name : null };
}

/** Faults of the file as those of its field. */
function atRows(problem: unknown): never {
  if (!(problem instanceof Problem)) throw problem;
  const errors = (problem.members.errors as FieldError[] | undefined) ?? [];
  const placed = errors.map(({ detail }) => ({ pointer: '/csv', detail }));
  throw placed.length === 0 ? problem : invalid(...(placed as [FieldError, ...FieldError[]]));
}

function auditedOf({ rows }: Checked, { zones, stays }: Compared): Record<string, unknown> {
  const made = rows.filter((row, at) => row !== null && !stays.has(at));
  const first = made.slice(0, NAMED).map((row) => `${row!.fqdn} ${row!.type} ${row!.value.slice(0, 100)}`);
  return { count: made.length, zones, first };
}
