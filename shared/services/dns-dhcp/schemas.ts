// Schemas of zones and records. Different spellings are accepted here, and made canonical in record-data.ts and
// names.ts.
import * as v from 'valibot';
import {
  component,
  described,
  idSchema,
  instantSchema,
  listed,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { plainUnstated } from '../../ground/schemas/plain-text.ts';
import { descriptionMember as description, descriptionAnswer } from '../../platform/units/kept-members.ts';
import { RECORD_TYPES } from './dns/record-data.ts';
import { ownerSchema } from './owner-schema.ts';

/** Records of one bulk request, at most. */
export const BULK_MAX = 1000;

const enabled = described(v.boolean(), 'False: saved, but not served.');

const zoneName = v.pipe(
  v.string(),
  v.maxLength(255),
  plainUnstated,
  v.description('Domain name; stored in lower case without trailing dot. Underscore labels are accepted.'),
);

export const zoneSchema = component(
  'DnsZone',
  v.object({
    id: idSchema,
    name: text('Domain name, in lower case.'),
    enabled,
    description: descriptionAnswer,
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export type Zone = v.InferOutput<typeof zoneSchema>;
export const zoneListSchema = listOf('DnsZoneList', zoneSchema);

export const zoneCreateSchema = component(
  'DnsZoneCreate',
  v.strictObject({ name: zoneName, enabled: v.optional(enabled), description: v.optional(description) }),
  { name: 'lab.test', description: 'The management domain' },
);
export const zoneUpdateSchema = component(
  'DnsZoneUpdate',
  v.strictObject({
    name: v.optional(described(zoneName, 'Cannot change: another name than the saved one answers 409.')),
    enabled: v.optional(enabled),
    description: v.optional(description),
  }),
  { description: 'Management and workload domain' },
);

const fqdn = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description('Full name, in a managed zone; stored in lower case without trailing dot. No wildcard.'),
);
const type = v.pipe(
  v.string(),
  v.maxLength(16),
  listed(RECORD_TYPES),
  v.description('Record type (RFC 1035 and others), case-insensitive.'),
);
const value = v.pipe(
  v.string(),
  v.maxLength(4096, 'At most 4096 characters.'),
  v.description(
    'A and AAAA: the address. CNAME and PTR: the target name. TXT: the text itself, without quotes. SRV: `priority weight port target`. MX: `preference exchange`. CAA: `flags tag "value"`. A target is a name, never an address. Stored in canonical form.',
  ),
);

export const recordSchema = component(
  'DnsRecord',
  v.object({
    id: idSchema,
    fqdn: described(v.string(), 'Lower case, without trailing dot.'),
    type: described(v.picklist(RECORD_TYPES), 'Type of the record.'),
    value: described(v.string(), 'In canonical form.'),
    description: descriptionAnswer,
    enabled,
    owner: described(
      v.nullable(ownerSchema(v.nullable(v.string()))),
      'The part of the appliance that owns the record; null for an operator’s own. Where `source` is `vcf_helper`, `component` is a host name of a deployment catalog or null.',
    ),
    zone: described(v.string(), 'Name of the zone it belongs to.'),
    zone_id: text('Id of the zone it belongs to.'),
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export type DnsRecord = v.InferOutput<typeof recordSchema>;
export const recordListSchema = listOf('DnsRecordList', recordSchema);

const draft = { fqdn, type, value, description: v.optional(description), enabled: v.optional(enabled) };
export const recordCreateSchema = component('DnsRecordCreate', v.strictObject(draft), {
  fqdn: 'vc01.lab.test',
  type: 'A',
  value: '192.0.2.10',
  description: 'vCenter of the management domain',
});
export const recordsCreateSchema = component(
  'DnsRecordsCreate',
  v.strictObject({
    records: v.pipe(
      v.array(recordCreateSchema),
      v.minLength(1, 'Send at least one record.'),
      v.maxLength(BULK_MAX, `At most ${BULK_MAX} records at once.`),
      v.description(`1 to ${BULK_MAX} records.`),
    ),
  }),
  {
    records: [
      { fqdn: 'vc01.lab.test', type: 'A', value: '192.0.2.10' },
      { fqdn: 'vc01.lab.test', type: 'AAAA', value: '2001:db8:10::10' },
      { fqdn: '_ldap._tcp.lab.test', type: 'SRV', value: '0 100 389 ldap.lab.test' },
    ],
  },
);
export const recordsCreatedSchema = component(
  'DnsRecordsCreated',
  v.object({ items: described(v.array(recordSchema), 'The records, in the order sent.') }),
);
export const recordsImportSchema = component(
  'DnsRecordsImport',
  v.object({ job_id: text('Id of the job; its result says how many records were saved, of which zones.') }),
);
export const recordUpdateSchema = component(
  'DnsRecordUpdate',
  v.strictObject({
    fqdn: v.optional(fqdn),
    type: v.optional(described(type, 'Cannot change: another type than the saved one answers 409.')),
    value: v.optional(value),
    description: v.optional(description),
    enabled: v.optional(enabled),
  }),
  { value: '192.0.2.11', enabled: true },
);
