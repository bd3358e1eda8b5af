// The form that changes a record. Name and value are not sent for a record that another part keeps.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { operation as updateRecord } from './update-record.ts';

export const operation = defineForm(
  { of: updateRecord, path: pageRoute('dns-record'), access: { session: 'write:dns' } },
  {
    page: pageRoute('dns-record'),
    decode: (fields) => ({
      fqdn: fields.optional('fqdn'),
      value: fields.optional('value'),
      description: fields.text('description'),
      enabled: fields.checked('enabled'),
    }),
    done: (answer) => {
      const { zone_id, fqdn, type } = answer.body as DnsRecord;
      return { location: pagePath('dns-zone', zone_id), flash: `${fqdn} ${type} is saved.` };
    },
  },
);
