// The form that changes a zone.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateZone } from './update-zone.ts';

export const operation = updateForm(dnsZones, updateZone, {
  decode: (fields) => ({ description: fields.text('description'), enabled: fields.checked('enabled') }),
  done: ({ id }) => ({ location: pagePath('dns-zone', id) }),
});
