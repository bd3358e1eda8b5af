// The form that opens an archive. What differs is shown on the page of the restore.
import { itemPath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as inspectArchive } from './inspect-archive.ts';

export const operation = formOf(inspectArchive, {
  path: `${pageRoute('archive')}/inspect`,
  page: `${pageRoute('archive')}/restore`,
  secret: ['passphrase', 'identity'],
  decode: (fields) => openingIn(fields.values),
  done: (_answer, _fields, { archive_id }) => ({ location: `${itemPath('archive', archive_id!)}/restore` }),
  shows: true,
});

/** What opens the archive, as far as it was typed. */
export function openingIn(values: URLSearchParams): { passphrase?: string; identity?: string } {
  const passphrase = values.get('passphrase') ?? '';
  const identity = values.get('identity') ?? '';
  return { ...(passphrase !== '' && { passphrase }), ...(identity !== '' && { identity }) };
}
