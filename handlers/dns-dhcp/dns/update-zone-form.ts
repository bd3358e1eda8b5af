// The form that changes a zone.
import { updateForm } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { operation as updateZone } from './update-zone.ts';

export const operation = updateForm(dnsZones, updateZone, {
  path: '/ui/management/dns/zones/{zone_id}',
  decode: (fields) => ({ description: fields.text('description'), enabled: fields.checked('enabled') }),
  done: ({ id }) => ({ location: `/ui/management/dns/zones/${id}` }),
});
