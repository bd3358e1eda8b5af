// The form that sets which roles must have a second factor.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as updateSecondFactorPolicy } from './update-second-factor-policy.ts';

export const operation = formOf(updateSecondFactorPolicy, {
  path: `${pagePath('users')}/second-factor-policy`,
  confirms: { resource_type: 'second_factor_policy' },
  decode: (fields) => ({ roles: fields.all('roles'), user_verification: fields.text('user_verification') }),
  done: () => ({ location: pagePath('users'), flash: 'Who must have a second factor is saved.' }),
});
