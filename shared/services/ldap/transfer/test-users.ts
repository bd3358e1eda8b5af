// Test users for labs: names by a seed, so that the same seed makes the same people.
import { createHash } from 'node:crypto';
import { invalid } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { Shell } from '../../../platform/units/collection.ts';
import { createItem } from '../../../platform/units/collection-store.ts';
import { groups } from '../groups.ts';
import { users } from '../users.ts';
import { type Initial, saveInitial } from './initial.ts';

const GIVEN =
  'Ada Alan Anita Barbara Carol Claude Dana Donald Edsger Elena Frances Grace Hedy Ivan Jean John Karen Ken Leslie Linus Margaret Marvin Niklaus Noor Olga Radia Robin Sofia Tim Vera'.split(
    ' ',
  );
const SURNAMES =
  'Adler Bauer Castro Duval Ekberg Farouk Garcia Hansen Ito Jansen Kaya Lindgren Moreau Novak Okafor Petrov Quinn Rossi Sato Tanaka Urban Varga Weber Xu Yilmaz Zeman'.split(
    ' ',
  );

export interface TestUser {
  uid: string;
  given_name: string;
  surname: string;
}

/** Pure: `ada.weber-0001-SEED` and so on; who is called what depends on the seed and the number alone. */
export function testUsers(seed: string, count: number): TestUser[] {
  return Array.from({ length: count }, (_, at) => {
    const bytes = createHash('sha256').update(`${seed}:${at}`).digest();
    const given_name = GIVEN[bytes.readUInt16BE(0) % GIVEN.length]!;
    const surname = SURNAMES[bytes.readUInt16BE(2) % SURNAMES.length]!;
    const number = String(at + 1).padStart(4, '0');
    return { uid: `${given_name}.${surname}-${number}-${seed}`.toLowerCase(), given_name, surname };
  });
}

export interface TestUsersWish {
  organization_id: string;
  seed: string;
  count: number;
  groups: number;
}

/** @throws Problem 422 at `/seed` when one of these names is taken */
export async function makeTestUsers(
  tx: Transaction,
  shell: Shell,
  wish: TestUsersWish,
  initial: Initial | null,
): Promise<{ users: string[]; groups: string[] }> {
  const { organization_id, seed } = wish;
  const people = testUsers(seed, wish.count);
  const uids = people.map(({ uid }) => uid);
  const names = Array.from({ length: wish.groups }, (_, at) => `test-${seed}-${at + 1}`);
  await refuseTaken(tx, organization_id, uids, names);
  for (const person of people) {
    const draft = { organization_id, ...person, description: `Test user, seed ${seed}` };
    const { id } = await createItem(tx, shell, users, draft);
    if (initial) await saveInitial(tx, shell, id, initial);
  }
  for (const [at, name] of names.entries()) {
    const member_users = uids.filter((_, user) => user % names.length === at);
    await createItem(tx, shell, groups, { organization_id, name, member_users });
  }
  return { users: uids, groups: names };
}

const TAKEN = `SELECT 'user' AS kind, uid AS name FROM ldap_user
    WHERE organization_id = ?1 AND uid IN (SELECT value FROM json_each(?2))
  UNION ALL SELECT 'group', name FROM ldap_group
    WHERE organization_id = ?1 AND lower(name) IN (SELECT value FROM json_each(?3))
  ORDER BY kind DESC, name LIMIT 1`;

/** Whoever has one of the names, be it by this seed or not. */
async function refuseTaken(tx: Transaction, organization_id: string, uids: string[], names: string[]): Promise<void> {
  const asked = [organization_id, JSON.stringify(uids), JSON.stringify(names)];
  const taken = await tx.one<{ kind: string; name: string }>(TAKEN, asked);
  if (!taken) return;
  const detail = `There is a ${taken.kind} ${taken.name} in this organization already. Take another seed.`;
  throw invalid({ pointer: '/seed', detail });
}
