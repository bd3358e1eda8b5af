// The form that changes a record. Name and value are not sent for a record that another part keeps.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateRecord } from './update-record.ts';

export const operation = updateForm(dnsRecords, updateRecord, {
  decode: (fields) => ({
    fqdn: fields.optional('fqdn'),
    value: fields.optional('value'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: ({ zone_id, fqdn, type }) => ({
    location: pagePath('dns-zone', zone_id),
    flash: `${fqdn} ${type} is saved.`,
  }),
});
