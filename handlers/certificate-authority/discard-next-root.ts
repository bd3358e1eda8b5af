// Discards the next root certificate.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { discardNext } from '../../shared/platform/certificate-authority/next-root.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'discardNextRootCertificate',
  method: 'DELETE',
  path: `${AUTHORITY_PATH}/root/next`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Discard the next root certificate',
  description:
    'Changes application state immediately: the next root and its private key are gone. It signed nothing yet; machines that trust it already may forget it.',
  answers: { 204: { description: 'It is gone.' } },
  problems: ['resource_not_found'],
  audit: ['certificate.root.discard'],
  async run({ tx, audit }) {
    const { id, subject, sha256 } = await discardNext(tx);
    const detail = { subject, sha256 };
    audit({ action: 'certificate.root.discard', resource_type: 'certificate_authority', resource_id: id, detail });
    return { status: 204 };
  },
});
