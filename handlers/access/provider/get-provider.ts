// Answers the external provider at which people may sign in.
import { requireProvider } from '../../../shared/kernel/access/external/provider.ts';
import { providerSchema } from '../../../shared/kernel/access/external/schemas.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getSignInProvider',
  method: 'GET',
  path: '/api/v1/sign-in-provider',
  access: { scope: 'read:users' },
  tag: 'Users',
  summary: 'Get the external provider',
  description:
    'The external provider of OpenID Connect at which people may sign in to this appliance, and whose certificate was confirmed. The client secret is in no answer.',
  answers: { 200: { description: 'The provider as saved now.', schema: providerSchema, tagged: true } },
  problems: ['resource_not_found'],
  async run({ db }) {
    const provider = await requireProvider(db);
    return { body: provider, revision: provider.revision };
  },
});
