// The form that changes a record. Name and value are not sent for a record that another part keeps.
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { operation as updateRecord } from './update-record.ts';

export const operation = defineForm(
  { of: updateRecord, path: '/ui/management/dns/records/{record_id}', access: { session: 'write:dns' } },
  {
    page: '/ui/management/dns/records/{record_id}',
    decode: (fields) => ({
      fqdn: fields.optional('fqdn'),
      value: fields.optional('value'),
      description: fields.text('description'),
      enabled: fields.checked('enabled'),
    }),
    done: (answer) => {
      const { zone_id, fqdn, type } = answer.body as DnsRecord;
      return { location: `/ui/management/dns/zones/${zone_id}`, flash: `${fqdn} ${type} is saved.` };
    },
  },
);
