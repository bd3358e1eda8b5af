// The certificates of the list as a CSV file: what each says, without its key.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { issuedFilter, listIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { CERTIFICATES_LIST } from '../../shared/platform/certificate-authority/list-words.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: CERTIFICATES_LIST,
  path: pagePath('certificates'),
  scope: 'read:ca',
  by: ['search', 'sort', 'state', 'profile'],
  head: [
    'id',
    'subject',
    'names',
    'profile',
    'purpose',
    'state',
    'serial_number',
    'sha256',
    'not_before',
    'not_after',
    'revoked_at',
    'revocation_reason',
    'created_by',
    'created_at',
  ],
  async rows({ db, query, request: { now } }, page) {
    const found = await listIssued(db, { ...issuedFilter(query), now, ...page });
    return {
      ...found,
      items: found.items.map((one) => [
        one.id,
        one.subject,
        one.names.join(' '),
        one.profile,
        one.purpose,
        one.state,
        one.serial_number,
        one.sha256,
        one.not_before,
        one.not_after,
        one.revoked_at,
        one.revocation_reason,
        one.created_by,
        one.created_at,
      ]),
    };
  },
});
