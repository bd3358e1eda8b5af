// Changes whether a zone is served, or its description.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { updateZone } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { zoneSchema, zoneUpdateSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'updateDnsZone',
  method: 'PATCH',
  path: '/api/v1/dns/zones/{zone_id}',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Update a zone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. The name cannot change. A zone that is not enabled keeps its records, but neither it nor they are served: its names are asked of the upstream servers.',
  params: idParam('zone_id', 'Id of the zone.'),
  body: zoneUpdateSchema,
  answers: { 200: { description: 'The zone as saved now.', schema: zoneSchema, tagged: true } },
  problems: ['resource_not_found', 'state_conflict', 'revision_stale', 'malformed_precondition'],
  audit: ['dns.zone.update'],
  async run({ services, tx, params, body, request, audit }) {
    const { zone, changed } = await updateZone(tx, services, params.zone_id, body, request.if_match);
    const detail = { name: zone.name, enabled: zone.enabled, changed };
    audit({ action: 'dns.zone.update', resource_type: 'dns_zone', resource_id: zone.id, detail });
    return { body: zone, revision: zone.revision };
  },
});
