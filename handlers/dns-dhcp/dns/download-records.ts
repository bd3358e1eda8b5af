// The records of a zone as a CSV file: those that its list shows, in its order.
import * as v from 'valibot';
import { csvHeaders, csvParts } from '../../../shared/ground/csv.ts';
import { pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { allRecords, RECORD_SORTS } from '../../../shared/services/dns-dhcp/dns/record-list.ts';
import { ownerWords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { fileState, inState } from '../../forms/file-state.ts';

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

const HEAD = ['fqdn', 'type', 'value', 'description', 'enabled', 'owner', 'updated_at'];

const cells = (record: DnsRecord) => [
  record.fqdn,
  record.type,
  record.value,
  record.description,
  record.enabled,
  record.owner && ownerWords(record.owner),
  record.updated_at,
];

export const operation = defineOperation({
  id: 'downloadDnsRecords',
  method: 'GET',
  path: `${pageRoute('dns-zone')}/records.csv`,
  plane: 'management',
  access: { session: 'read:dns' },
  tag: 'Pages',
  summary: 'Records of a zone as CSV',
  description:
    'Those that the list shows by its search, type, state and order, on all of its pages, for a spreadsheet. They are read as they are sent: one that is changed meanwhile may be there as it was or as it is.',
  params: idParam('zone_id', 'Id of the zone.'),
  query: v.strictObject({
    search: text,
    type: text,
    state: fileState,
    sort: v.optional(v.fallback(v.picklist(RECORD_SORTS), 'fqdn'), 'fqdn'),
  }),
  answers: { 200: { description: 'The file (RFC 4180).' } },
  problems: ['resource_not_found'],
  async run({ db, services, params, query: { search, type, state, sort } }) {
    const zone = await findItem(db, dnsZones, params.zone_id);
    const all = allRecords(db, { zone_id: zone.id, search, sort, type: type || undefined });
    const records = await inState(services, 'record', state, all);
    return { parts: csvParts(HEAD, records, cells), headers: csvHeaders(zone.name) };
  },
});
