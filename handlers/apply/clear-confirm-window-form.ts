// Clears the damaged record of a confirm window, from the page of applies.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as clearConfirmWindow } from './clear-confirm-window.ts';

const PAGE = pagePath('apply');

export const operation = formOf(clearConfirmWindow, {
  path: `${PAGE}/window/clear`,
  page: PAGE,
  decode: (fields) => ({ reason: fields.text('reason') }),
  done: () => ({ location: PAGE, flash: 'The damaged record of the confirm window is cleared.' }),
});
