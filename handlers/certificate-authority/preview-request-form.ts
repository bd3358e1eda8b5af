// The form that shows what is in a request: pasted, or from a file.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { fileOf } from '../forms/certificate-fields.ts';
import { operation as previewRequest } from './preview-request.ts';

const PAGE = `${pagePath('certificates')}/new`;

export const operation = defineForm(
  { of: previewRequest, path: PAGE, access: { session: 'read:ca' } },
  {
    page: PAGE,
    decode: (fields) => ({ csr: fileOf(fields, 'csr_file') || fields.text('csr') }),
    done: () => ({ location: PAGE }),
    files: ['csr_file'],
    shows: true,
  },
);
