// The form that deletes an archive; it is on a page of its own.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteArchive } from './delete-archive.ts';

export const operation = formOf(deleteArchive, {
  path: `${pageRoute('archive')}/delete`,
  done: () => ({ location: pagePath('archives'), flash: 'The archive is deleted.' }),
});
