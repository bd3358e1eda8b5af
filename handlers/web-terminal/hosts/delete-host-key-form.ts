// The form that forgets the host key of another machine; it is on a page of its own.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteHostKey } from './delete-host-key.ts';

export const operation = formOf(deleteHostKey, {
  path: `${pageRoute('terminal-host')}/delete`,
  done: () => ({ location: pagePath('terminal-hosts'), flash: 'The host key is forgotten.' }),
});
