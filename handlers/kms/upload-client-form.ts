// The form that trusts a certificate of a client's own.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as uploadKmsClient } from './upload-client.ts';

const PAGE = `${pagePath('kms-clients')}/upload`;

export const operation = defineForm(
  { of: uploadKmsClient, path: PAGE },
  {
    page: PAGE,
    decode: (fields) => ({
      provider_id: fields.text('provider_id'),
      name: fields.text('name'),
      certificate: fields.text('certificate'),
    }),
    done: (_answer, fields) => ({
      location: pagePath('kms-provider', fields.text('provider_id')),
      flash: `${fields.text('name')} is let in.`,
    }),
  },
);
