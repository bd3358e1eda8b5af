// The button that tries a target.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as testTarget } from './test-target.ts';

export const operation = formOf(testTarget, {
  path: `${pageRoute('archive-target')}/test`,
  page: pageRoute('archive-target'),
  done: (_answer, _fields, { target_id }) => ({
    location: itemPath('archive-target', target_id!),
    flash: 'A small file was written there, read back and removed.',
  }),
});
