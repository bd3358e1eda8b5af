// The revocation list as a file, for a browser.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { listFile } from '../../shared/platform/certificate-authority/list-file.ts';
import { listQuery } from './download-revocation-list.ts';

export const operation = defineOperation({
  id: 'downloadRevocationListPage',
  method: 'GET',
  path: `${AUTHORITY_PAGE}/root.crl`,
  plane: 'management',
  access: { session: 'read:ca' },
  effect: 'read',
  tag: 'Pages',
  summary: 'Revocation list',
  description: 'The revocation list as a file.',
  query: listQuery,
  answers: { 200: { description: 'The file.' } },
  problems: ['resource_not_found'],
  run: ({ db, query }) => listFile(db, query),
});
