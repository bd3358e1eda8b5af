// What rows of the directory take over from slapd is what an edit of them could set, and no more.
import { expect, test } from '@jest/globals';
import type { Database } from '../../../../../shared/ground/store/database.ts';
import { changedRow, newRow } from '../../../../../shared/services/ldap/adopt/saved-rows.ts';
import { groups, MEMBERS_MOST } from '../../../../../shared/services/ldap/groups.ts';
import { users } from '../../../../../shared/services/ldap/users.ts';

const UUID = '0c6f3a52-3f6e-4a53-9d39-0f4f3a8f1a10';
const GROUP = { kind: 'group', slug: 'lab', name: 'Admins' } as const;
const many = (count: number) => Array.from({ length: count }, (_, n) => `user${n}`);

/** With this row, or none, in an organisation. */
const database = (row?: object): Database => {
  const one = async (sql: unknown) =>
    String(sql).startsWith('SELECT id FROM ldap_organization') ? { id: 'ldaporg_1' } : row;
  return { one, all: async () => [] } as unknown as Database;
};
const SAVED = { id: 'ldapgroup_1', entry_uuid: UUID, member_users: '["ada"]', member_groups: '[]' };

test('a group that was given more members in slapd than an edit can give it is refused', async () => {
  const settle = (count: number) =>
    changedRow(GROUP, groups, ({ member_users }) => ({ member_users: [...member_users, ...many(count)] })).settle(
      database(SAVED),
    );
  expect(await settle(2)).toEqual({ id: 'ldapgroup_1', draft: { member_users: ['ada', 'user0', 'user1'] } });
  expect(await settle(MEMBERS_MOST)).toMatchObject({
    refused: { subject: 'Group Admins of lab', reason: expect.stringContaining(`At most ${MEMBERS_MOST} members.`) },
  });
});

test('so is a new group, and a new one that can be saved keeps its entryUUID', async () => {
  const settle = (count: number) =>
    newRow(GROUP, groups, { name: 'Admins', member_users: many(count), entry_uuid: UUID } as never).settle(database());
  expect(await settle(1)).toEqual({
    id: null,
    draft: { organization_id: 'ldaporg_1', name: 'Admins', member_users: ['user0'], entry_uuid: UUID },
  });
  expect(await settle(MEMBERS_MOST + 1)).toMatchObject({ refused: { subject: 'Group Admins of lab' } });
});

test('a member that no edit can set is not taken over', async () => {
  const named = { kind: 'user', slug: 'lab', name: 'ada' } as const;
  const settle = (draft: object) => changedRow(named, users, () => draft as never).settle(database(SAVED));
  expect(await settle({ telephone: '555-0101' })).toEqual({ id: 'ldapgroup_1', draft: { telephone: '555-0101' } });
  for (const draft of [{ telephone: 'call me' }, { surname: '' }, { organization_id: 'ldaporg_2' }])
    expect(await settle(draft)).toHaveProperty('refused');
});
