// The form that signs a client's request and trusts it; its page gives the certificate.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { clientSignSchema } from '../../shared/services/kms/schemas.ts';
import { linesOf } from '../forms/certificate-fields.ts';
import { requestIn, operation as signKmsClient } from './sign-client.ts';

const PAGE = `${pagePath('kms-clients')}/sign`;

export const operation = defineForm(
  {
    of: signKmsClient,
    path: PAGE,
    body: v.omit(clientSignSchema, ['own_password']),
    prepare: ({ body }) => requestIn(body.csr),
  },
  {
    page: PAGE,
    confirms: { resource_type: 'kms_client' },
    decode(fields) {
      const names = linesOf(fields.text('names'));
      return {
        provider_id: fields.text('provider_id'),
        name: fields.text('name'),
        csr: fields.text('csr'),
        ...(names.length > 0 && { names }),
      };
    },
    done: ({ body }) => ({
      location: pagePath('kms-client', (body as { id: string }).id),
      flash: 'The certificate is issued and trusted. Give it to the client.',
    }),
  },
);
