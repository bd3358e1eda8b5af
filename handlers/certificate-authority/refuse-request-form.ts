// The form that refuses a certificate request.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as refuseRequest } from './refuse-request.ts';

export const operation = defineForm(
  { of: refuseRequest, path: `${pageRoute('certificate-request')}/refuse`, access: { session: 'write:ca' } },
  {
    page: pageRoute('certificate-request'),
    decode: (fields) => ({ reason: fields.text('reason') }),
    done: () => ({ location: pagePath('certificate-requests'), flash: 'The request is refused.' }),
  },
);
