// Lets the next root certificate sign.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { takeOver } from '../../shared/platform/certificate-authority/next-root.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, rootSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'takeOverRootCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/root/next/take-over`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Let the next root certificate sign',
  description:
    'Changes application state immediately: from now on everything is signed by the next root. Certificates of the appliance’s own services are reissued by it at the next check; those that the former root signed stay valid until they end, for whoever still trusts it. The former root keeps its key for its revocation list until it ends, and signs nothing else.',
  answers: { 200: { description: 'The root certificate that signs now.', schema: rootSchema } },
  problems: ['resource_not_found', 'state_conflict', 'vault_keys_unusable'],
  audit: ['certificate.root.take_over'],
  async run({ tx, services, audit }) {
    const root = await takeOver(tx, services);
    const { id, subject, sha256 } = root;
    const detail = { subject, sha256 };
    audit({ action: 'certificate.root.take_over', resource_type: 'certificate_authority', resource_id: id, detail });
    return { body: { ...root, state: 'valid' } };
  },
});
