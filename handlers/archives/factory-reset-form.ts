// The form of the factory reset: the name of the appliance, and the own password.
import * as v from 'valibot';
import { factoryResetSchema } from '../../shared/appliance/archive/schemas.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { copyOf, operation as factoryReset, refuseOther } from './factory-reset.ts';

const PAGE = pagePath('factory-reset');

export const operation = defineForm(
  {
    of: factoryReset,
    path: PAGE,
    body: v.omit(factoryResetSchema, ['own_password']),
    async prepare({ services, request, body: { confirm } }): Promise<string | null> {
      refuseOther(services, confirm);
      return request.dry_run ? null : copyOf(services);
    },
  },
  {
    page: PAGE,
    confirms: { resource_type: 'appliance' },
    decode: (fields) => ({ confirm: fields.text('confirm') }),
    done: () => ({
      location: pagePath('first-start'),
      flash: 'The appliance is reset. Review what the next apply takes away from the host.',
    }),
  },
);
