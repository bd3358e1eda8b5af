// The form that deletes an OVA of the depot.
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { DEPOT_PAGE } from './begin-upload-form.ts';
import { operation as deleteAppliance } from './delete-appliance.ts';

export const operation = formOf(deleteAppliance, {
  path: `${DEPOT_PAGE}/appliances/{file}/delete`,
  done: (_answer, _fields, { file }) => ({ location: DEPOT_PAGE, flash: `${file} is deleted.` }),
});
