// The form that orders it, with the typed name.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as growStorageVolume } from './grow-volume.ts';

export const operation = formOf(growStorageVolume, {
  path: pageRoute('storage-volume-grow'),
  decode: (fields) => ({ confirm: fields.text('confirm') }),
  done: (_answer, _fields, { volume_id }) => ({
    location: pagePath('storage-volume', volume_id!),
    flash: 'The filesystem is to grow by the next apply. Review the pending change.',
  }),
});
