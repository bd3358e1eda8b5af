// A profile as an archive has it, saved by its owner. Apart from the store: operations that read a profile need no schema of it.
import * as v from 'valibot';
import type { Transaction } from '../../ground/store/database.ts';
import { updateProfile } from './profile-store.ts';
import { profilePatchSchema } from './request-schemas.ts';

/** Members as an archive has them. Answers what is wrong with them, or null where they are saved. */
export async function restoreProfile(
  tx: Transaction,
  name: string,
  { allowed_names, validity_days }: Record<string, unknown>,
): Promise<string | null> {
  const read = v.safeParse(profilePatchSchema, { allowed_names, validity_days });
  if (!read.success) return read.issues[0]!.message;
  await updateProfile(tx, name, read.output, null);
  return null;
}
