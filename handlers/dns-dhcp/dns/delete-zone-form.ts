// The button that deletes a zone.
import { deleteForm } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { operation as deleteZone } from './delete-zone.ts';

export const operation = deleteForm(dnsZones, deleteZone, {
  path: '/ui/management/dns/zones/{zone_id}/delete',
  page: '/ui/management/dns/zones/{zone_id}',
  next: '/ui/management/dns',
  flash: 'The zone is deleted. The host follows at the next apply.',
});
