// The records of a zone as a CSV file.

import { csv } from '../../../shared/ground/csv.ts';
import { pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { recordsOfZone } from '../../../shared/services/dns-dhcp/dns/record-list.ts';
import { ownerWords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';

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

async function* parts(found: AsyncIterable<DnsRecord[]>): AsyncGenerator<string> {
  yield csv([HEAD]);
  for await (const records of found) if (records.length > 0) yield csv(records.map(cells));
}

export const operation = defineOperation({
  id: 'downloadDnsRecords',
  method: 'GET',
  path: `${pageRoute('dns-zone')}/records.csv`,
  plane: 'management',
  access: { session: 'read:dns' },
  tag: 'Pages',
  summary: 'Records of a zone as CSV',
  description:
    'Every record of the zone by name, for a spreadsheet. They are read as they are sent: one that is changed meanwhile may be there as it was or as it is.',
  params: idParam('zone_id', 'Id of the zone.'),
  answers: { 200: { description: 'The file (RFC 4180).' } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const zone = await findItem(db, dnsZones, params.zone_id);
    return {
      parts: parts(recordsOfZone(db, zone.id)),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${zone.name}.csv"`,
      },
    };
  },
});
