// The form that generates the software depot ID; where there is one, it asks for confirmation.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as generateSoftwareDepotId } from './generate-software-depot-id.ts';

export const operation = formOf(generateSoftwareDepotId, {
  path: pagePath('software-depot-id'),
  decode: (fields) => ({ confirm: fields.checked('confirm') }),
  done: () => ({ location: pagePath('offline-depot'), flash: 'The software depot ID is generated.' }),
});
