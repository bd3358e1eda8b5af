// The root certificate.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { noRoot, rootAndState } from '../../shared/platform/certificate-authority/authority.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, rootSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'getRootCertificate',
  method: 'GET',
  path: `${AUTHORITY_PATH}/root`,
  access: { scope: 'read:ca' },
  tag: AUTHORITY_TAG,
  summary: 'Get the root certificate',
  description: 'Its facts and its PEM, and whether it can sign. Not found while none was made.',
  answers: { 200: { description: 'The root certificate as it is now.', schema: rootSchema } },
  problems: ['resource_not_found', 'vault_keys_unusable'],
  async run({ db, services }) {
    const root = await rootAndState(db, services);
    if (!root) throw noRoot();
    return { body: root };
  },
});
