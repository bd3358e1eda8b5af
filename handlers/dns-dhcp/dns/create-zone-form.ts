// The form that creates a zone.
import { createForm } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { operation as createZone } from './create-zone.ts';

export const operation = createForm(dnsZones, createZone, {
  path: '/ui/management/dns/zones/new',
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: ({ id, name }) => ({
    location: `/ui/management/dns/zones/${id}`,
    flash: `Zone ${name} is saved. Now add its records.`,
  }),
});
