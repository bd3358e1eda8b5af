// The form that creates an API token; the page shows the secret once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createToken } from './create-token.ts';

const DAY = 86_400;

export const operation = formOf(createToken, {
  path: pagePath('api-tokens'),
  confirms: { resource_type: 'token' },
  decode: (fields) => ({
    name: fields.text('name'),
    scopes: fields.all('scopes'),
    lifetime_seconds: lifetime(fields.integer('lifetime_days')),
  }),
  done: () => ({ location: pagePath('api-tokens') }),
  shows: true,
});

function lifetime(days: number | string | undefined): number | string | undefined {
  return typeof days === 'number' ? days * DAY : days;
}
