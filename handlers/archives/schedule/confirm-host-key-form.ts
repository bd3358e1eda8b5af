// The button that confirms the host key that was looked at.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as confirmHostKey } from './confirm-host-key.ts';

export const operation = formOf(confirmHostKey, {
  path: `${pageRoute('archive-target')}/confirm-host-key`,
  page: pageRoute('archive-target'),
  decode: (fields) => ({ host_key_sha256: fields.text('host_key_sha256') }),
  done: (_answer, _fields, { target_id }) => ({
    location: itemPath('archive-target', target_id!),
    flash: 'The host key is confirmed.',
  }),
});
