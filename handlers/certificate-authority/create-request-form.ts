// The form that asks for a certificate instead of issuing it at once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { fileOf } from '../forms/certificate-fields.ts';
import { operation as createRequest } from './create-request.ts';

const PAGE = `${pagePath('certificate-requests')}/new`;

export const operation = defineForm(
  { of: createRequest, path: PAGE, access: { session: 'write:ca-requests' } },
  {
    page: PAGE,
    decode: (fields) => ({
      csr: fileOf(fields, 'csr_file') || fields.text('csr'),
      profile: fields.text('profile'),
      note: fields.text('note'),
    }),
    done: ({ body }) => ({
      location: pagePath('certificate-request', (body as { id: string }).id),
      flash: 'The request waits for a decision.',
    }),
    files: ['csr_file'],
  },
);
