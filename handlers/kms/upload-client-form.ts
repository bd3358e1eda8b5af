// The form that trusts a certificate of a client's own.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { clientUploadSchema } from '../../shared/services/kms/schemas.ts';
import { operation as uploadKmsClient } from './upload-client.ts';

const PAGE = `${pagePath('kms-clients')}/upload`;

export const operation = defineForm(
  {
    of: uploadKmsClient,
    path: PAGE,
    body: v.omit(clientUploadSchema, ['own_password']),
    prepare: async () => undefined,
  },
  {
    page: PAGE,
    confirms: { resource_type: 'kms_client' },
    decode: (fields) => ({
      provider_id: fields.text('provider_id'),
      name: fields.text('name'),
      certificate: fields.text('certificate'),
    }),
    done: (_answer, fields) => ({
      location: pagePath('kms-provider', fields.text('provider_id')),
      flash: `${fields.text('name')} is trusted.`,
    }),
  },
);
