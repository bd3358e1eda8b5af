// The button that forgets an interface that is gone, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deletePhysicalInterface } from './delete-physical-interface.ts';

export const operation = formOf(deletePhysicalInterface, {
  path: `${pageRoute('interface')}/delete`,
  done: (_answer, _fields, { name }) => ({
    location: pagePath('interfaces'),
    flash: `${name} is deleted. The host follows at the next apply.`,
  }),
});
