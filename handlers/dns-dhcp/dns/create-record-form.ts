// The form that creates a record: a name in a chosen zone.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { nameInZone } from '../../../shared/services/dns-dhcp/dns/record-lines.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createRecord } from './create-record.ts';

export const operation = createForm(dnsRecords, createRecord, {
  decode: (fields) => ({
    fqdn: nameInZone(fields.text('fqdn'), fields.text('zone')),
    type: fields.text('type'),
    value: fields.text('value'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done({ zone, zone_id, fqdn, type, value }, fields) {
    const again = fields.text('next') === 'another';
    const location = again
      ? `${pagePath('dns-records')}/new?zone=${encodeURIComponent(zone)}&type=${type}`
      : pagePath('dns-zone', zone_id);
    return { location, flash: `${fqdn} ${type} ${value.slice(0, 80)} is saved.` };
  },
});
