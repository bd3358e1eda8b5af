// Accounts of another appliance in the place of those that are here: what an appliance has that starts from an archive.
import * as v from 'valibot';
import { type Clock, instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { isOwnHash } from './password.ts';
import { ROLES } from './scopes.ts';
import { USER_NAME } from './user.ts';

/** More would not be people. */
const ACCOUNTS_MOST = 10_000;

const accountSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^user_[a-z0-9]{1,40}$/)),
  name: v.pipe(v.string(), v.regex(USER_NAME)),
  role: v.picklist(ROLES),
  enabled: v.boolean(),
  password_hash: v.pipe(v.string(), v.check(isOwnHash)),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
});

/**
 * Every account of now goes, with its sessions and tokens, and those come. Answers how many.
 * @throws Problem 409 where one can't be read, and where nobody could administer the appliance afterwards
 */
export async function takeAccounts(
  tx: Transaction,
  { clock }: { clock: Clock },
  rows: readonly Record<string, unknown>[],
): Promise<number> {
  if (rows.length > ACCOUNTS_MOST) throw refused(`It has more than ${ACCOUNTS_MOST} accounts.`);
  const accounts = rows.map((row) => {
    const read = v.safeParse(accountSchema, row);
    if (!read.success) throw refused('One of its accounts is not as accounts are.');
    return read.output;
  });
  if (!accounts.some(({ role, enabled }) => role === 'admin' && enabled))
    throw refused('None of its accounts is an enabled admin: nobody could administer the appliance.');
  // Sessions and tokens go with their owners.
  await tx.run('DELETE FROM user');
  const updated_at = instant(clock.now());
  for (const { enabled, ...account } of accounts)
    await tx.run(build('user').insert({ ...account, enabled: enabled ? 1 : 0, updated_at }));
  return accounts.length;
}

const refused = (why: string): Problem => new Problem('state_conflict', `${why} Nothing was saved.`);
