// The button that revokes an API token.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as revokeToken } from './revoke-token.ts';

export const operation = formOf(revokeToken, {
  path: `${pageRoute('api-token')}/revoke`,
  page: pagePath('api-tokens'),
  done: (answer) => {
    const { name, tokens_ended } = answer.body as { name: string; tokens_ended: number };
    const also = tokens_ended > 1 ? `, with the tokens created with it: ${tokens_ended} in all` : '';
    return { location: pagePath('api-tokens'), flash: `Token ${name} is revoked${also}.` };
  },
});
