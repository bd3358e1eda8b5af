// A credential that is ended after its request was let in, while the body still arrives or a password is verified: nothing comes
// of that request.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let user: Credentials;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());
beforeEach(async () => {
  user = await house.actor('admin');
});

/** Does `sql` for the user's id at the last moment before the next transaction begins. */
function meanwhile(sql: string): void {
  const { store } = house.services;
  const write = store.write;
  store.write = (async (...work: Parameters<typeof write>) => {
    store.write = write;
    await write.call(store, (tx) => tx.run(sql, [user.user.id]));
    return write.apply(store, work);
  }) as typeof write;
}

const creates = () => {
  const body = { name: `late-${user.user.name.slice(6)}`, role: 'admin', password: 'a passphrase of a stranger' };
  return house.send('POST', '/api/v1/users', { token: user.token, body });
};
const edits = () =>
  house.send('POST', '/ui/management/account/end-other-sessions', { session: user, headers: { accept: '*/*' } });
const REVOKE = "UPDATE api_token SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE user_id = ?";
const DISABLE = 'UPDATE user SET enabled = 0 WHERE id = ?';
const DEMOTE = "UPDATE user SET role = 'viewer' WHERE id = ?";

test.each([
  ['a token that is revoked', REVOKE, creates, [401, 'credentials_revoked']],
  ['a token whose user is disabled', DISABLE, creates, [401, 'credentials_revoked']],
  ['a token whose user is gone', 'DELETE FROM user WHERE id = ?', creates, [401, 'credentials_revoked']],
  ['a token whose user gets a lesser role', DEMOTE, creates, [403, 'insufficient_scope']],
  ['a session that is ended', 'DELETE FROM session WHERE user_id = ?', edits, [401, 'session_required']],
  ['a session whose user is disabled', DISABLE, edits, [401, 'session_required']],
] as const)('%s meanwhile changes nothing', async (_what, sql, send, refused) => {
  const before = await house.lastAudit();
  meanwhile(sql);
  const heard = await send();
  expect([heard.status, heard.body?.error_code]).toEqual(refused);
  expect(await house.audited(before)).toEqual([]);
});

test('what changes the host before its transaction asks before that', async () => {
  const { store } = house.services;
  const one = store.one;
  store.one = (async (...asked: Parameters<typeof one>) => {
    store.one = one;
    const row = await one.apply(store, asked);
    await store.write((tx) => tx.run(REVOKE, [user.user.id]));
    return row;
  }) as typeof one;
  const body = { reason: 'It can’t be read.' };
  const heard = await house.send('POST', '/api/v1/apply/window/clear', { token: user.token, body });
  expect([heard.status, heard.body.error_code]).toEqual([401, 'credentials_revoked']);
});

test('a new role that still includes all of it takes nothing from the request', async () => {
  user = await house.actor('network-admin', ['write:tokens']);
  meanwhile("UPDATE user SET role = 'admin' WHERE id = ?");
  const body = { name: 'made', scopes: ['read:tokens'] };
  expect((await house.send('POST', '/api/v1/tokens', { token: user.token, body })).status).toBe(201);
});
