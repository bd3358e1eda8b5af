// The form that deletes an installer medium.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteMedium } from './delete-medium.ts';

const PAGE = `${pageRoute('boot-medium')}/delete`;

export const operation = defineForm(
  { of: deleteMedium, path: PAGE, access: { session: 'write:pxe' } },
  {
    page: PAGE,
    decode: () => undefined,
    done: () => ({ location: pagePath('boot-media'), flash: 'The installer medium is deleted.' }),
  },
);
