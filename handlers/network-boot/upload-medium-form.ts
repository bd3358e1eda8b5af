// Takes a piece of an image from the script of a page: the bytes as body, the session's CSRF token in the header X-CSRF-Token.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as uploadMedium } from './upload-medium.ts';

export const operation = formOf(uploadMedium, {
  path: `${pageRoute('boot-medium')}/content`,
  page: pageRoute('boot-medium'),
  fetch: true,
  done: () => ({ location: pagePath('boot-media') }),
});
