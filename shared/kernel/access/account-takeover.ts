// Accounts of another appliance in the place of those that are here: what an appliance has that starts from an archive.
import * as v from 'valibot';
import { type Clock, instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Role } from './scopes.ts';

/** More would not be people. */
const ACCOUNTS_MOST = 10_000;

// As user.ts, scopes.ts and password.ts have them. Written out: who loads this would otherwise take those apart from what every
// operation loads, which makes all of their bundles larger. A test holds them together.
export const ACCOUNT_ROLES = ['admin', 'service-admin', 'network-admin', 'viewer'] as const satisfies readonly Role[];
export const ACCOUNT_NAME = /^[a-z_][a-z0-9_.-]{0,31}$/;
/** At our own cost: another one could be a burden at each sign-in. */
export const ACCOUNT_HASH = /^scrypt\$65536\$8\$1\$[\w-]{4,64}\$[\w-]{43}$/;

const accountSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^user_[a-z0-9]{1,40}$/)),
  name: v.pipe(v.string(), v.regex(ACCOUNT_NAME)),
  role: v.picklist(ACCOUNT_ROLES),
  enabled: v.boolean(),
  password_hash: v.pipe(v.string(), v.regex(ACCOUNT_HASH)),
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
  // Those of an external provider have no password; they are made anew when their people sign in.
  const own = rows.filter(({ password_hash }) => password_hash !== '');
  const accounts = own.map((row) => {
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
