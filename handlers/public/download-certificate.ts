// The certificate that was issued for a request of one's own, as a file.
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { issuedFile } from '../../shared/platform/certificate-authority/issued-file.ts';
import { findOwnRequest } from '../../shared/platform/certificate-authority/own-requests.ts';
import { requestParam } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { formatQuery } from '../certificate-authority/download-certificate.ts';

export const operation = defineOperation({
  id: 'publicDownloadCertificate',
  method: 'GET',
  path: `${pagePath('public-requests')}/{request_id}/certificate`,
  plane: 'public',
  access: { session: 'read:ca-requests' },
  effect: 'read',
  tag: 'Pages',
  summary: 'Certificate as a file',
  description: 'The certificate of a request of one’s own, as PEM, DER or PKCS #7. Never a private key.',
  params: requestParam,
  query: formatQuery,
  answers: { 200: { description: 'The file.' } },
  problems: ['resource_not_found'],
  async run({ db, actor, params, query }) {
    await requireOffered(db, 'certificate_requests');
    const { certificate_id } = await findOwnRequest(db, params.request_id, actor.name);
    if (certificate_id === null) throw new Problem('resource_not_found', 'No certificate was issued for this request.');
    return issuedFile(db, certificate_id, query.format);
  },
});
