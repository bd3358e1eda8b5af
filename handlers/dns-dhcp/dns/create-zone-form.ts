// The form that creates a zone.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { operation as createZone } from './create-zone.ts';

export const operation = defineForm(
  { of: createZone, path: `${pagePath('dns-zones')}/new`, access: { session: 'write:dns' } },
  {
    page: `${pagePath('dns-zones')}/new`,
    decode: (fields) => ({
      name: fields.text('name'),
      description: fields.text('description'),
      enabled: fields.checked('enabled'),
    }),
    done: (answer) => {
      const { id, name } = answer.body as Zone;
      return { location: pagePath('dns-zone', id), flash: `Zone ${name} is saved. Now add its records.` };
    },
  },
);
