// Deletes a zone, with its records when asked to.
import * as v from 'valibot';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { deleteZone } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = defineOperation({
  id: 'deleteDnsZone',
  method: 'DELETE',
  path: '/api/v1/dns/zones/{zone_id}',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Delete a zone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Refused with `still_referenced`, which says how many, while the zone has records, unless `with_records=true` deletes them too, whoever keeps them. Refused in any case while an alias of another zone points into it.',
  params: idParam('zone_id', 'Id of the zone.'),
  query: v.strictObject({
    with_records: v.optional(
      v.pipe(v.picklist(['true', 'false'], 'Expected true or false.'), v.description('`true`: its records go too.')),
    ),
  }),
  answers: { 204: { description: 'The zone is gone from the desired state.' } },
  problems: ['resource_not_found', 'still_referenced', 'revision_stale', 'malformed_precondition'],
  audit: ['dns.zone.delete'],
  async run({ tx, params, query, request, audit }) {
    const options = { with_records: query.with_records === 'true', if_match: request.if_match };
    const { zone, records } = await deleteZone(tx, params.zone_id, options);
    const detail = { name: zone.name, records_deleted: records };
    audit({ action: 'dns.zone.delete', resource_type: 'dns_zone', resource_id: zone.id, detail });
    return { status: 204 };
  },
});
