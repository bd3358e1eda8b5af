// The form that removes a second factor.

import * as v from 'valibot';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as removeOwnSecondFactor } from './remove-second-factor.ts';

export const operation = defineForm(
  {
    of: removeOwnSecondFactor,
    path: pageRoute('second-factor'),
    body: v.strictObject({}),
    prepare: async () => undefined,
  },
  {
    confirms: { resource_type: 'user' },
    decode: () => ({}),
    done: (answer) => ({
      location: pagePath('second-factors'),
      flash: `${(answer.body as { name: string }).name} is removed.`,
    }),
  },
);
