// The button that deletes a zone.
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteZone } from './delete-zone.ts';

export const operation = deleteForm(dnsZones, deleteZone, {
  done: () => ({ flash: 'The zone is deleted. The host follows at the next apply.' }),
});
