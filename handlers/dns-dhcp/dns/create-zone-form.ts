// The form that creates a zone.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createZone } from './create-zone.ts';

export const operation = createForm(dnsZones, createZone, {
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: ({ id, name }) => ({
    location: pagePath('dns-zone', id),
    flash: `Zone ${name} is saved. Now add its records.`,
  }),
});
