// The form that generates the software depot ID; where there is one, it asks for confirmation.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as generateSoftwareDepotId } from './generate-software-depot-id.ts';

const PATH = '/ui/management/offline-depot/software-depot-id';

export const operation = defineForm(
  { of: generateSoftwareDepotId, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    decode: (fields) => ({ confirm: fields.checked('confirm') }),
    done: () => ({ location: '/ui/management/offline-depot', flash: 'The software depot ID is generated.' }),
  },
);
