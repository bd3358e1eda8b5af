// The preview for the dialog's script: the API's answer, for a signed-in session.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { GENERATED } from '../../shared/vcf/names/dialog-address.ts';
import { operation as previewGeneratedFqdns } from './preview-generated-fqdns.ts';

const { spec } = previewGeneratedFqdns;

export const operation = defineOperation({
  ...spec,
  id: 'previewGeneratedFqdnsOfSession',
  path: `${GENERATED}/preview`,
  plane: 'management',
  access: { session: 'read:dns' },
});
