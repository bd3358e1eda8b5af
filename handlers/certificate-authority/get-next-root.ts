// The next root certificate.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { validityOf } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { validityState } from '../../shared/platform/certificate-authority/lifetime.ts';
import { nextRoot } from '../../shared/platform/certificate-authority/next-root.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, rootSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'getNextRootCertificate',
  method: 'GET',
  path: `${AUTHORITY_PATH}/root/next`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'Get the next root certificate',
  description: 'The next root, beside the one that signs, with its PEM. Not found while there is none.',
  answers: { 200: { description: 'The next root certificate as it is now.', schema: rootSchema } },
  problems: ['resource_not_found'],
  async run({ db, request }) {
    const root = await nextRoot(db);
    return { body: { ...root, state: validityState(validityOf(root), request.now) } };
  },
});
