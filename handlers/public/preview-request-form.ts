// The form of the public pages that shows what is in a signing request: pasted, or from a file.
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { takeTurn } from '../../shared/platform/certificate-authority/own-requests.ts';
import { operation as previewRequest } from '../certificate-authority/preview-request.ts';
import { fileOf } from '../forms/certificate-fields.ts';

const PAGE = `${pagePath('public-requests')}/new`;

export const operation = defineForm(
  {
    of: previewRequest,
    id: 'publicPreviewCertificateRequestForm',
    plane: 'public',
    path: PAGE,
    access: { session: 'write:ca-requests' },
    description:
      'Shows what is in the request, and changes nothing. After 30 of them in a row an account waits between two of them.',
    problems: ['too_many_attempts'],
    async prepare({ services, actor }) {
      await requireOffered(services.store, 'certificate_requests');
      takeTurn(services, actor.name);
    },
  },
  {
    page: PAGE,
    decode: (fields) => ({ csr: fileOf(fields, 'csr_file') || fields.text('csr') }),
    done: () => ({ location: PAGE }),
    files: ['csr_file'],
    shows: true,
  },
);
