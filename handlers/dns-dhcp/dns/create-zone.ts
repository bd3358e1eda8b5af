// Creates a zone; the appliance keeps the records of its services that lie in it from then on.
import { followServiceRecords } from '../../../shared/appliance/edits/service-records.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { createZone } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { zoneCreateSchema, zoneSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'createDnsZone',
  method: 'POST',
  path: '/api/v1/dns/zones',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Create a zone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. The appliance is the only source of the names in an enabled zone: one without a record does not exist and is never asked of upstream servers. A zone inside of another one takes over the records that lie in it. Reverse zones, below `in-addr.arpa` and `ip6.arpa`, are optional: a reverse record follows every address without one.',
  body: zoneCreateSchema,
  answers: { 201: { description: 'The zone that was created.', schema: zoneSchema, tagged: true } },
  problems: ['already_exists', 'state_conflict'],
  audit: ['dns.zone.create'],
  async run({ services, tx, body, audit }) {
    const { zone, moved } = await createZone(tx, services, body);
    await followServiceRecords(tx, services);
    const detail = { name: zone.name, enabled: zone.enabled, records_taken_over: moved };
    audit({ action: 'dns.zone.create', resource_type: 'dns_zone', resource_id: zone.id, detail });
    return { status: 201, body: zone, revision: zone.revision };
  },
});
