// What is remembered of tokens lets nobody in: in whatever order tokens are used, revoked, run out and their users change, each
// use is answered as from the database alone.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database, Row } from '../../../../shared/ground/store/database.ts';
import { native, Store } from '../../../../shared/ground/store/store.ts';
import { ROLES, type Scope } from '../../../../shared/kernel/access/scopes.ts';
import { authenticateToken, createToken, revokeToken } from '../../../../shared/kernel/access/token.ts';
import { House } from '../../../setup/house.ts';
import { seeded } from '../../../setup/seeded.ts';

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

test('a token that was revoked, ran out, or lost its user or scopes meanwhile', async () => {
  const { services } = house;
  const { store } = services;
  // Another connection, and nothing that this process remembers of secrets (by its keys).
  const plain = await Store.open(store.file);
  const database: Database = {
    all: <R = Row>(...[statement, parameters = []]: Parameters<Database['all']>) => {
      const [sql, values] = native(statement, parameters);
      return plain.write((tx) => tx.all<R>(sql, values));
    },
    one: async <R = Row>(...asked: Parameters<Database['one']>) => (await database.all<R>(...asked))[0],
  };
  const said = async (db: Database, bearer: string, shell = services, at = new Date()) => {
    const clock = { now: () => at };
    const found = await authenticateToken(db, { ...shell, clock }, bearer).catch((error: Error) => error);
    if (found instanceof Error) return (found as Error & { code: string }).code;
    return [found.token_id, found.actor.role, [...found.actor.scopes].sort(), [...found.actor.listed!].sort()];
  };
  const random = seeded(7);
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const lists: Scope[][] = [['write:interfaces'], ['read:dns', 'write:ntp'], ['read:users']];
  const actor = await house.actor('admin');
  const [{ user_id } = { user_id: '' }] = await store.all<{ user_id: string }>('SELECT user_id FROM api_token');
  expect(actor.token).toBeTruthy();
  const owner = { user_id, name: 'somebody', scopes: new Set(lists.flat()) };
  const make = () => {
    const wanted = { name: 'some', scopes: among(lists), lifetime: 3600 };
    return store.write(async (tx) => {
      const { token, secret } = await createToken(tx, services, owner, wanted);
      return { id: token.id, secret };
    });
  };
  const tokens = await Promise.all([make(), make(), make()]);
  const seen = new Set<string>();
  for (let step = 0; step < 600; step++) {
    const token = among(tokens);
    const kind = random();
    if (kind < 0.04) await store.write((tx) => revokeToken(tx, token.id, new Date()).catch(() => undefined));
    else if (kind < 0.08)
      await store.write((tx) => tx.run('UPDATE user SET role = ? WHERE id = ?', [among(ROLES), user_id]));
    else if (kind < 0.12)
      await store.run('UPDATE user SET enabled = ? WHERE id = ?', [random() < 0.3 ? 0 : 1, user_id]);
    else if (kind < 0.16) {
      // Whose user is disabled makes none.
      await store.run('UPDATE user SET enabled = 1 WHERE id = ?', [user_id]);
      tokens[tokens.indexOf(token)] = await make();
    } else if (kind < 0.18)
      await store.run('UPDATE api_token SET secret_hmac = secret_hmac || ? WHERE id = ?', ['x', token.id]);
    else {
      // One in ten with another secret of the same form; now and then when its time is over.
      const at = new Date(Date.now() + (random() < 0.2 ? 4_000_000 : 0));
      const other = among(tokens).secret;
      const bearer = random() < 0.1 ? `${token.secret.slice(0, 25)}${other.slice(25)}` : token.secret;
      const fresh = { ...services, keys: { hmac: services.keys.hmac.bind(services.keys) } };
      const wanted = await said(database, bearer, fresh, at);
      expect({ step, answer: await said(store, bearer, services, at) }).toEqual({ step, answer: wanted });
      seen.add(typeof wanted === 'string' ? wanted : 'let in');
    }
  }
  expect([...seen].sort()).toEqual(['credentials_expired', 'credentials_invalid', 'credentials_revoked', 'let in']);
  await plain.close();
});
