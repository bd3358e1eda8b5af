// The button that revokes an API token.
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as revokeToken } from './revoke-token.ts';

export const operation = defineForm(
  { of: revokeToken, path: '/ui/management/api-tokens/{token_id}/revoke', access: { session: 'write:tokens' } },
  {
    page: '/ui/management/api-tokens',
    decode: () => undefined,
    done: (answer) => ({
      location: '/ui/management/api-tokens',
      flash: `Token ${(answer.body as { name: string }).name} is revoked.`,
    }),
  },
);
