// Which machines rely on a certificate, as far as the appliance knows.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { relyingParties, relyingPartiesSchema } from '../../shared/platform/certificate-authority/relying-parties.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  certificateParam,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'listRelyingParties',
  method: 'GET',
  path: `${AUTHORITY_PATH}/certificates/{certificate_id}/relying-parties`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'List who relies on a certificate',
  description:
    'Machines that this appliance configured to trust the certificate or its root, or to use the offline depot that serves with it, and what happens to each when the certificate is reissued. It is read from the newest 2,000 such tasks in the audit log: machines that trust it for another reason are not known here.',
  params: certificateParam,
  answers: { 200: { description: 'The machines that are known.', schema: relyingPartiesSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    return { body: await relyingParties(db, params.certificate_id) };
  },
});
