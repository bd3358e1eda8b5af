// Brings slapd's trees to the applied entries, by difference. Whatever was interrupted, the next time ends in the same state.
import type { Host } from '../../../ground/machine/host.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { AppliedEntries, OrganizationEntries } from '../entries.ts';
import { argon2idHash } from '../password-hash.ts';
import { hashesOf } from '../password-store.ts';
import { changesBetween, type HashOf } from './difference.ts';
import type { Change } from './ldif.ts';
import { changeDirectory, searchDirectory } from './socket.ts';
import { accountDn, appliedOf, userDn, wantedEntries } from './wanted.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

const READ = ['*', 'entryUUID', 'pwdAccountLockedTime', 'pwdPolicySubentry'];

/** What would have to change in a tree. */
export async function differencesOf(
  host: Shell,
  organization: OrganizationEntries,
  { entries, digest }: AppliedEntries,
  hashOf: HashOf,
): Promise<Change[]> {
  const found = await searchDirectory(host, organization.suffix, READ);
  return changesBetween(wantedEntries(organization, entries.policy, digest), found, hashOf);
}

/** Whether a tree tells that it holds these entries. */
export async function tellsOf(host: Shell, { suffix }: OrganizationEntries, digest: string): Promise<boolean> {
  const [applied] = await searchDirectory(host, appliedOf(suffix), ['description'], 'base');
  return applied?.attributes.description?.[0] === digest;
}

/**
 * `all`: also trees that tell of these entries already. Answers how many entries were changed.
 * @throws DirectoryFault
 */
export async function followEntries(
  { db, host }: { db: Database; host: Shell },
  applied: AppliedEntries,
  all: boolean,
): Promise<number> {
  let changed = 0;
  for (const organization of applied.entries.organizations) {
    if (!all && (await tellsOf(host, organization, applied.digest))) continue;
    const hashOf = await hashesIn(db, organization, applied.digest);
    const changes = await differencesOf(host, organization, applied, hashOf);
    await changeDirectory(host, changes);
    changed += changes.length;
  }
  return changed;
}

/** The saved hashes of an organisation, and that of the digest. */
async function hashesIn(db: Database, { slug, suffix }: OrganizationEntries, digest: string): Promise<HashOf> {
  const saved = await hashesOf(db, slug);
  const known = new Map(
    saved.map(({ uid, account, mark, hash }) => [
      uid === null ? accountDn(account!, suffix) : userDn(uid, suffix),
      { mark, hash },
    ]),
  );
  known.set(appliedOf(suffix), { mark: digest, hash: await argon2idHash(digest) });
  return (dn) => known.get(dn);
}
