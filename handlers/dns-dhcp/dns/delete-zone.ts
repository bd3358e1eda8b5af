// Deletes a zone, with its records when asked to.
import * as v from 'valibot';
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = deleteOperation(dnsZones, {
  id: 'deleteDnsZone',
  summary: 'Delete a zone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Refused with `still_referenced`, which says how many, while the zone has records, unless `with_records=true` deletes them too, whoever keeps them. Refused in any case while an alias of another zone points into it.',
  query: {
    with_records: v.optional(
      v.pipe(v.picklist(['true', 'false'], 'Expected true or false.'), v.description('`true`: its records go too.')),
    ),
  },
  conflicts: ['still_referenced'],
});
