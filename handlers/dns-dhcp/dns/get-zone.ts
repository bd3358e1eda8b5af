// One zone.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { findZone } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { zoneSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'getDnsZone',
  method: 'GET',
  path: '/api/v1/dns/zones/{zone_id}',
  plane: 'api',
  access: { scope: 'read:dns' },
  effect: 'read',
  tag: 'DNS',
  summary: 'Get a zone',
  description: 'One zone, with the entity tag that If-Match takes. Its records are listed by `/dns/records?zone=`.',
  params: idParam('zone_id', 'Id of the zone.'),
  answers: {
    200: { description: 'The zone, with the entity tag that If-Match takes.', schema: zoneSchema, tagged: true },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const zone = await findZone(db, params.zone_id);
    return { body: zone, revision: zone.revision };
  },
});
