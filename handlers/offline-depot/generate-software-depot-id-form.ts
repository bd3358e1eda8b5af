// The form that generates the software depot ID; where there is one, it asks for confirmation.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as generateSoftwareDepotId } from './generate-software-depot-id.ts';

const PATH = pagePath('software-depot-id');

export const operation = defineForm(
  { of: generateSoftwareDepotId, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    decode: (fields) => ({ confirm: fields.checked('confirm') }),
    done: () => ({ location: pagePath('offline-depot'), flash: 'The software depot ID is generated.' }),
  },
);
