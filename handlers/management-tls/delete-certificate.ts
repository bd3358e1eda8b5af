// Removes the uploaded certificate of the management UI with its key.
import { notFound, Problem } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { TLS_PATH, TLS_TAG } from '../../shared/services/management-tls/schemas.ts';
import { managementTlsSettings } from '../../shared/services/management-tls/settings.ts';
import { digestInForce, forgetUpload, uploadedRow } from '../../shared/services/management-tls/uploaded.ts';

export const operation = defineOperation({
  id: 'deleteManagementCertificate',
  method: 'DELETE',
  path: `${TLS_PATH}/certificate`,
  access: { scope: 'write:management-tls' },
  effect: 'immediate',
  tag: TLS_TAG,
  summary: 'Remove the uploaded certificate of the management UI',
  description:
    'Changes application state immediately: the certificate that was uploaded and its private key are gone. Refused while it is chosen as the source, or is the one in force: choose another source, and apply that first. Archives that were made before have it still. A plan that is restored later does not bring it back: it has to be uploaded again.',
  answers: { 204: { description: 'It is gone.' } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['management-tls.certificate.delete'],
  prepare: ({ services }) => digestInForce(services.host),
  async run({ tx, audit, prepared }) {
    const row = await uploadedRow(tx);
    if (!row) throw notFound('An uploaded certificate');
    const { saved } = await readSettings(tx, managementTlsSettings);
    if (saved.source === 'uploaded')
      throw new Problem(
        'state_conflict',
        'It is chosen as the source: choose another one in the settings, and apply it.',
      );
    if (row.sha256 === prepared)
      throw new Problem('state_conflict', 'It is the certificate in force: apply the other source first.');
    await forgetUpload(tx);
    const { id, subject, sha256, not_after } = row;
    audit({
      action: 'management-tls.certificate.delete',
      resource_type: 'management_certificate',
      resource_id: id,
      detail: { subject, sha256, not_after },
    });
    return { status: 204 };
  },
});
