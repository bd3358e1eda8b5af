// The form that orders it, with the typed name.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as formatStorageVolume } from './format-volume.ts';

export const operation = formOf(formatStorageVolume, {
  path: pageRoute('storage-volume-format'),
  decode: (fields) => ({ filesystem: fields.text('filesystem'), confirm: fields.text('confirm') }),
  done: (_answer, _fields, { volume_id }) => ({
    location: pagePath('storage-volume', volume_id!),
    flash: 'The disk is to be formatted by the next apply. Review the pending change.',
  }),
});
