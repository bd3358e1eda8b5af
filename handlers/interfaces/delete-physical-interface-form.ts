// The button that forgets an interface that is gone, on the page that asks for confirmation.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deletePhysicalInterface } from './delete-physical-interface.ts';

export const operation = defineForm(
  {
    of: deletePhysicalInterface,
    path: '/ui/management/interfaces/{name}/delete',
    access: { session: 'write:interfaces' },
  },
  {
    page: '/ui/management/interfaces/{name}/delete',
    decode: () => undefined,
    done: (_answer, _fields, { name }) => ({
      location: '/ui/management/interfaces',
      flash: `${name} is deleted. The host follows at the next apply.`,
    }),
  },
);
