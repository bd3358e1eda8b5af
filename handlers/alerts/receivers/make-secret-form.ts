// The button that makes a signing secret; the page shows it once.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as makeSecret } from './make-secret.ts';

export const operation = formOf(makeSecret, {
  path: `${pageRoute('alert-receiver')}/make-secret`,
  page: pageRoute('alert-receiver'),
  done: (_answer, _fields, { receiver_id }) => ({ location: itemPath('alert-receiver', receiver_id!) }),
  shows: true,
});
