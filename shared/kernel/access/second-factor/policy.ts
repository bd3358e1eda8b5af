// Which roles must have a second factor, and whether a passkey must ask who its holder is.
import { instant } from '../../../ground/clock.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { ROLES, type Role } from '../scopes.ts';

export const USER_VERIFICATIONS = ['preferred', 'required'] as const;
export type UserVerification = (typeof USER_VERIFICATIONS)[number];

export interface SecondFactorPolicy {
  roles: Role[];
  user_verification: UserVerification;
  revision: number;
}

export async function findPolicy(db: Database): Promise<SecondFactorPolicy> {
  const row = await db.one<{ roles: string; user_verification: UserVerification; revision: number }>(
    'SELECT roles, user_verification, revision FROM second_factor_policy WHERE id = 1',
  );
  return { ...row!, roles: JSON.parse(row!.roles) as Role[] };
}

export const mustHaveFactor = async (db: Database, role: Role): Promise<boolean> =>
  (await findPolicy(db)).roles.includes(role);

/** @throws Problem 412 */
export async function savePolicy(
  tx: Transaction,
  { roles, user_verification }: Pick<SecondFactorPolicy, 'roles' | 'user_verification'>,
  if_match: Precondition,
  now: Date,
): Promise<SecondFactorPolicy> {
  const before = await findPolicy(tx);
  requireRevision(if_match, before.revision);
  const ordered = ROLES.filter((role) => roles.includes(role));
  await tx.run(
    'UPDATE second_factor_policy SET roles = ?, user_verification = ?, revision = revision + 1, updated_at = ? WHERE id = 1',
    [JSON.stringify(ordered), user_verification, instant(now)],
  );
  return { roles: ordered, user_verification, revision: before.revision + 1 };
}
