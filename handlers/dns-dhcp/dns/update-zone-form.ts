// The form that changes a zone.
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { operation as updateZone } from './update-zone.ts';

export const operation = defineForm(
  { of: updateZone, path: '/ui/management/dns/zones/{zone_id}', access: { session: 'write:dns' } },
  {
    page: '/ui/management/dns/zones/{zone_id}',
    decode: (fields) => ({ description: fields.text('description'), enabled: fields.checked('enabled') }),
    done: (answer) => {
      const { id, name } = answer.body as Zone;
      return { location: `/ui/management/dns/zones/${id}`, flash: `Zone ${name} is saved.` };
    },
  },
);
