// The form that changes a zone.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { operation as updateZone } from './update-zone.ts';

export const operation = defineForm(
  { of: updateZone, path: pageRoute('dns-zone'), access: { session: 'write:dns' } },
  {
    page: pageRoute('dns-zone'),
    decode: (fields) => ({ description: fields.text('description'), enabled: fields.checked('enabled') }),
    done: (answer) => {
      const { id, name } = answer.body as Zone;
      return { location: pagePath('dns-zone', id), flash: `Zone ${name} is saved.` };
    },
  },
);
