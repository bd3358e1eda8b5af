// The form that changes a record. Name and value are not sent for a record that another part keeps.
import { updateForm } from '../../../shared/platform/units/collection-operations.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';
import { operation as updateRecord } from './update-record.ts';

export const operation = updateForm(dnsRecords, updateRecord, {
  path: '/ui/management/dns/records/{record_id}',
  decode: (fields) => ({
    fqdn: fields.optional('fqdn'),
    value: fields.optional('value'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: ({ zone_id, fqdn, type }) => ({
    location: `/ui/management/dns/zones/${zone_id}`,
    flash: `${fqdn} ${type} is saved.`,
  }),
});
