// The button that revokes an API token.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as revokeToken } from './revoke-token.ts';

export const operation = defineForm(
  { of: revokeToken, path: `${pageRoute('api-token')}/revoke`, access: { session: 'write:tokens' } },
  {
    page: pagePath('api-tokens'),
    decode: () => undefined,
    done: (answer) => {
      const { name, tokens_ended } = answer.body as { name: string; tokens_ended: number };
      const also = tokens_ended > 1 ? `, with the tokens created with it: ${tokens_ended} in all` : '';
      return { location: pagePath('api-tokens'), flash: `Token ${name} is revoked${also}.` };
    },
  },
);
