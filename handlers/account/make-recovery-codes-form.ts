// The form that makes new recovery codes; its page shows them once.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as makeOwnRecoveryCodes } from './make-recovery-codes.ts';

const PAGE = `${pagePath('second-factors')}/recovery-codes`;

export const operation = defineForm(
  {
    of: makeOwnRecoveryCodes,
    path: PAGE,
    body: v.strictObject({}),
    prepare: async () => undefined,
  },
  {
    page: PAGE,
    confirms: { resource_type: 'user' },
    decode: () => ({}),
    done: () => ({ location: PAGE }),
    shows: true,
  },
);
