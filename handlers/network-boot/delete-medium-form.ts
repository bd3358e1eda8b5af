// The form that deletes an installer medium.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteMedium } from './delete-medium.ts';

export const operation = formOf(deleteMedium, {
  path: `${pageRoute('boot-medium')}/delete`,
  done: () => ({ location: pagePath('boot-media'), flash: 'The installer medium is deleted.' }),
});
