// The button that deletes a zone.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteZone } from './delete-zone.ts';

export const operation = defineForm(
  { of: deleteZone, path: `${pageRoute('dns-zone')}/delete`, access: { session: 'write:dns' } },
  {
    page: pageRoute('dns-zone'),
    decode: () => undefined,
    done: () => ({ location: pagePath('dns'), flash: 'The zone is deleted. The host follows at the next apply.' }),
  },
);
