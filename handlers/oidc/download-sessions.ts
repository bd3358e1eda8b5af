// The sessions of the list as a CSV file: who is signed in, from where, and to what.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { SESSIONS_LIST } from '../../shared/services/oidc/sessions/list-words.ts';
import { listOidcSessions } from '../../shared/services/oidc/sessions/sessions.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: SESSIONS_LIST,
  path: pagePath('oidc-sessions'),
  scope: 'read:oidc',
  by: ['search', 'sort'],
  head: [
    'id',
    'user_name',
    'source',
    'organization',
    'subject',
    'source_address',
    'clients',
    'created_at',
    'last_used_at',
  ],
  async rows({ db, query: { search, sort }, request }, page) {
    const found = await listOidcSessions(db, { search, sort, ...page }, request.now);
    return {
      ...found,
      items: found.items.map((session) => [
        session.id,
        session.user_name,
        session.source,
        session.organization,
        session.subject,
        session.source_address,
        session.clients.map(({ name }) => name).join(', '),
        session.created_at,
        session.last_used_at,
      ]),
    };
  },
});
