// The form that creates a record: a name in a chosen zone.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { nameInZone } from '../../../shared/services/dns-dhcp/dns/record-lines.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { operation as createRecord } from './create-record.ts';

export const operation = defineForm(
  { of: createRecord, path: `${pagePath('dns-records')}/new`, access: { session: 'write:dns' } },
  {
    page: `${pagePath('dns-records')}/new`,
    decode: (fields) => ({
      fqdn: nameInZone(fields.text('fqdn'), fields.text('zone')),
      type: fields.text('type'),
      value: fields.text('value'),
      description: fields.text('description'),
      enabled: fields.checked('enabled'),
    }),
    done: (answer, fields) => {
      const { zone, zone_id, fqdn, type, value } = answer.body as DnsRecord;
      const flash = `${fqdn} ${type} ${value.slice(0, 80)} is saved.`;
      const again = fields.text('next') === 'another';
      const location = again
        ? `${pagePath('dns-records')}/new?zone=${encodeURIComponent(zone)}&type=${type}`
        : pagePath('dns-zone', zone_id);
      return { location, flash };
    },
  },
);
