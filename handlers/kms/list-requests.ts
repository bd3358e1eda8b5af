// The last requests of clients.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { KMS_PATH, KMS_TAG, requestsSchema } from '../../shared/services/kms/schemas.ts';
import { lastRequests } from '../../shared/services/kms/serving/requests.ts';
import { REQUESTS_MOST } from '../../shared/services/kms/serving/trace.ts';

export const operation = defineOperation({
  id: 'listKmsRequests',
  method: 'GET',
  path: `${KMS_PATH}/requests`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'List the last KMIP requests',
  description: `The last ${REQUESTS_MOST} requests of clients: who, what, from where, and how it ended. Names of attributes are listed; values and key material never are. A request is here within a second.`,
  answers: { 200: { description: 'The requests, newest first.', schema: requestsSchema } },
  async run({ db }) {
    return { body: { items: await lastRequests(db) } };
  },
});
