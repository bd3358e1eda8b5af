// The button that looks at the host key of a target; it is shown on the target's page.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as lookAtHostKey } from './look-at-host-key.ts';

export const operation = formOf(lookAtHostKey, {
  path: `${pageRoute('archive-target')}/look-at-host-key`,
  page: pageRoute('archive-target'),
  done: (_answer, _fields, { target_id }) => ({ location: itemPath('archive-target', target_id!) }),
  shows: true,
});
