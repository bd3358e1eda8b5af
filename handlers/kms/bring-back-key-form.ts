// The button that brings a destroyed key back.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as bringBackKmsKey } from './bring-back-key.ts';

export const operation = formOf(bringBackKmsKey, {
  path: `${pageRoute('kms-key')}/bring-back`,
  page: pageRoute('kms-key'),
  done: (_answer, _fields, { key_id }) => ({
    location: pagePath('kms-key', key_id!),
    flash: 'The key is back: its provider gets it again.',
  }),
});
