// The certificate requests of the list as a CSV file: who asked for what, and what was decided.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { REQUESTS_LIST } from '../../shared/platform/certificate-authority/list-words.ts';
import { listRequests, requestFilter } from '../../shared/platform/certificate-authority/request-store.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: REQUESTS_LIST,
  path: pagePath('certificate-requests'),
  scope: 'read:ca-requests',
  by: ['search', 'sort', 'state'],
  head: [
    'id',
    'state',
    'profile',
    'subject',
    'names',
    'key_algorithm',
    'note',
    'certificate_id',
    'created_by',
    'created_at',
    'decided_by',
    'decided_at',
    'reason',
  ],
  async rows({ db, query }, page) {
    const found = await listRequests(db, { ...requestFilter(query), ...page });
    return {
      ...found,
      items: found.items.map((one) => [
        one.id,
        one.state,
        one.profile,
        one.subject,
        one.names.join(' '),
        one.key_algorithm,
        one.note,
        one.certificate_id,
        one.created_by,
        one.created_at,
        one.decided_by,
        one.decided_at,
        one.reason,
      ]),
    };
  },
});
