// The button that lets a client in no more, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteKmsClient } from './delete-client.ts';

export const operation = formOf(deleteKmsClient, {
  path: `${pageRoute('kms-client')}/delete`,
  done: () => ({ location: pagePath('kms'), flash: 'The client is removed.' }),
});
