// The form that brings a destroyed key back, after the own password.
import * as v from 'valibot';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as bringBackKmsKey } from './bring-back-key.ts';

export const operation = defineForm(
  {
    of: bringBackKmsKey,
    path: `${pageRoute('kms-key')}/bring-back`,
    body: v.strictObject({}),
    prepare: async () => undefined,
  },
  {
    decode: () => ({}),
    page: pageRoute('kms-key'),
    confirms: { resource_type: 'kms_key' },
    done: (_answer, _fields, { key_id }) => ({
      location: pagePath('kms-key', key_id!),
      flash: 'The key is back: its provider gets it again.',
    }),
  },
);
