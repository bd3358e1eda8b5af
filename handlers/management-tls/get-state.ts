// The certificate that the management UI shows, and the one that was uploaded for it.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { stateSchema, TLS_PATH, TLS_TAG } from '../../shared/services/management-tls/schemas.ts';
import { managementTlsState } from '../../shared/services/management-tls/state.ts';

export const operation = defineOperation({
  id: 'getManagementTls',
  method: 'GET',
  path: TLS_PATH,
  access: { scope: 'read:management-tls' },
  tag: TLS_TAG,
  summary: 'Get the certificate of the management UI',
  description:
    'The certificate that the management UI shows now, why the applied one is not shown where it is not, and the certificate that was uploaded. No private key is in it.',
  answers: { 200: { description: 'What is shown now, and what was uploaded.', schema: stateSchema } },
  run: async ({ db, services }) => ({ body: await managementTlsState(db, services.settings) }),
});
