// The button that revokes an API token.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as revokeToken } from './revoke-token.ts';

export const operation = defineForm(
  { of: revokeToken, path: '/ui/management/api-tokens/{token_id}/revoke', access: { session: 'write:tokens' } },
  {
    page: '/ui/management/api-tokens',
    decode: () => undefined,
    done: (answer) => {
      const { name, tokens_ended } = answer.body as { name: string; tokens_ended: number };
      const also = tokens_ended > 1 ? `, with the tokens created with it: ${tokens_ended} in all` : '';
      return { location: '/ui/management/api-tokens', flash: `Token ${name} is revoked${also}.` };
    },
  },
);
