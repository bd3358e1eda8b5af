// The form that takes pasted lines and creates their records, all or none.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { pastedRecords } from '../../../shared/services/dns-dhcp/dns/record-lines.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { operation as createRecords } from './create-records.ts';

export const operation = defineForm(
  {
    of: createRecords,
    id: 'importDnsRecordsForm',
    path: `${pageRoute('dns-zone')}/import`,
    params: idParam('zone_id', 'Id of the zone.'),
    bodyLimit: 1 << 20,
    // A zone that was deleted meanwhile must not be imported into by its name.
    prepare: ({ services, params }) => findItem(services.store, dnsZones, params.zone_id),
  },
  {
    decode: (fields) => ({ records: pastedRecords(fields.values.get('lines') ?? '', fields.text('zone')).records }),
    done: (answer, _fields, params) => {
      const { items } = answer.body as { items: unknown[] };
      const count = items.length === 1 ? '1 record is' : `${items.length} records are`;
      return { location: pagePath('dns-zone', params.zone_id!), flash: `${count} saved.` };
    },
  },
);
