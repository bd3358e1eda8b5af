// What is saved of the profiles: the names that each may be issued for, and for how long.
import { notFound } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { PROFILES, type Profile } from './profiles.ts';

interface Row extends Omit<Profile, 'allowed_names'> {
  /** JSON. */
  allowed_names: string;
}

const viewOf = ({ name, allowed_names, validity_days, revision }: Row): Profile => ({
  name,
  allowed_names: JSON.parse(allowed_names) as string[],
  validity_days,
  revision,
});

/** In the order of the profiles. */
export async function listProfiles(db: Database): Promise<Profile[]> {
  const rows = await db.all<Row>('SELECT * FROM certificate_profile');
  return rows.map(viewOf).sort((one, other) => PROFILES.indexOf(one.name) - PROFILES.indexOf(other.name));
}

/** @throws Problem 404 */
export async function findProfile(db: Database, name: string): Promise<Profile> {
  const row = await db.one<Row>('SELECT * FROM certificate_profile WHERE name = ?', [name]);
  if (!row) throw notFound('This profile');
  return viewOf(row);
}

export interface ProfilePatch {
  allowed_names?: string[] | undefined;
  validity_days?: number | null | undefined;
}

/** `changed` is empty where nothing does. @throws Problem 404, 412 */
export async function updateProfile(
  tx: Transaction,
  name: string,
  patch: ProfilePatch,
  if_match: Precondition,
): Promise<{ profile: Profile; changed: string[] }> {
  const before = await findProfile(tx, name);
  requireRevision(if_match, before.revision);
  const { allowed_names = before.allowed_names, validity_days = before.validity_days } = patch;
  const after = { ...before, allowed_names, validity_days };
  const changed = (['allowed_names', 'validity_days'] as const).filter(
    (member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]),
  );
  if (changed.length === 0) return { profile: before, changed };
  const profile = { ...after, revision: before.revision + 1 };
  await tx.run('UPDATE certificate_profile SET allowed_names = ?, validity_days = ?, revision = ? WHERE name = ?', [
    JSON.stringify(profile.allowed_names),
    profile.validity_days,
    profile.revision,
    name,
  ]);
  return { profile, changed };
}

/** As the API says it. */
export const profileAnswer = ({ name, ...rest }: Profile) => ({ profile: name, ...rest });
