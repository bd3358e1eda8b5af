// The users of the list as a CSV file, without anything that lets them in.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { USERS_LIST } from '../../shared/kernel/access/list-words.ts';
import { listUsers, userFilter } from '../../shared/kernel/access/user.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: USERS_LIST,
  path: pagePath('users'),
  scope: 'read:users',
  by: ['search', 'sort', 'state', 'role'],
  head: ['id', 'name', 'role', 'enabled', 'external', 'created_at', 'updated_at', 'revision'],
  async rows({ db, query }, page) {
    const found = await listUsers(db, { ...userFilter(query), ...page });
    return {
      ...found,
      items: found.items.map((user) => [
        user.id,
        user.name,
        user.role,
        user.enabled,
        user.external,
        user.created_at,
        user.updated_at,
        user.revision,
      ]),
    };
  },
});
