// Brings the trees of the running slapd to the applied entries: each to what it is to hold, by difference.
import type { Host } from '../../../ground/machine/host.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { AppliedEntries, OrganizationEntries } from '../entries.ts';
import { argon2idHash, markOf } from '../password-hash.ts';
import { hashesOf } from '../password-store.ts';
import { changesBetween, type HashOf, MARK } from './difference.ts';
import type { Change, Entry } from './ldif.ts';
import type { Refused } from './refusal.ts';
import { changeEach, DirectoryFault, searchDirectory } from './socket.ts';
import { accountDn, appliedOf, userDn, wantedEntries } from './wanted.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

const READ = ['*', 'entryUUID', 'pwdAccountLockedTime', 'pwdPolicySubentry'];

/** What would have to change in a tree, and what it holds. */
export async function differencesOf(
  host: Shell,
  organization: OrganizationEntries,
  { entries, digest }: AppliedEntries,
  hashOf: HashOf,
): Promise<{ changes: Change[]; found: Entry[] }> {
  const found = await searchDirectory(host, organization.suffix, READ);
  return { changes: changesBetween(wantedEntries(organization, entries.policy, digest), found, hashOf), found };
}

/** Whether a tree tells that it holds these entries. */
export async function tellsOf(host: Shell, { suffix }: OrganizationEntries, digest: string): Promise<boolean> {
  const [applied] = await searchDirectory(host, appliedOf(suffix), ['description'], 'base');
  return applied?.attributes.description?.[0] === digest;
}

/** DN and mark → a hash that was in a tree until now. */
export type Replaced = ReadonlyMap<string, string>;

export interface Followed {
  /** Entries that were changed, or refused. */
  changed: number;
  refused: Refused[];
  /** Organisations that could not be followed, one line each. */
  faults: string[];
  /** What went from the trees: it is needed again when the apply is rolled back, also of users that are saved no more. */
  replaced: Replaced;
}

/**
 * Each organisation by itself: what is refused in one holds up no other. `all`: also trees that tell of these entries
 * already.
 */
export async function followEntries(
  { db, host }: { db: Database; host: Shell },
  applied: AppliedEntries,
  all: boolean,
  before: Replaced,
): Promise<Followed> {
  const replaced = new Map<string, string>();
  const followed: Followed = { changed: 0, refused: [], faults: [], replaced };
  for (const organization of applied.entries.organizations) {
    try {
      if (!all && (await tellsOf(host, organization, applied.digest))) continue;
      const hashOf = await hashesIn(db, organization, applied.digest, before);
      const { changes, found } = await differencesOf(host, organization, applied, hashOf);
      for (const [key, hash] of hashesAmong(changes, found)) replaced.set(key, hash);
      await changeEach(host, changes, appliedOf(organization.suffix), (one) => followed.refused.push(one));
      followed.changed += changes.length;
    } catch (error) {
      if (!(error instanceof DirectoryFault)) throw error;
      followed.faults.push(`${organization.slug}: ${error.message}`);
    }
  }
  return followed;
}

const keyOf = (dn: string, mark: string): string => `${dn.toLowerCase()} ${mark}`;

/** Passwords of entries that go or get another one. */
function* hashesAmong(changes: readonly Change[], found: readonly Entry[]): Generator<[string, string]> {
  const changed = new Set(
    changes.flatMap((change) =>
      'delete' in change || ('replace' in change && MARK in change.replace) ? change.dn : [],
    ),
  );
  for (const { dn, attributes } of found) {
    const [mark, hash] = [attributes[MARK]?.[0], attributes.userPassword?.[0]];
    if (changed.has(dn) && mark !== undefined && hash !== undefined) yield [keyOf(dn, mark), hash];
  }
}

/** The saved hashes of an organisation, current and earlier ones, what a tree had before, and that of the digest. */
async function hashesIn(
  db: Database,
  { slug, suffix }: OrganizationEntries,
  digest: string,
  before: Replaced,
): Promise<HashOf> {
  const known = new Map(before);
  for (const { uid, account, mark, hash, former } of await hashesOf(db, slug)) {
    const dn = uid === null ? accountDn(account!, suffix) : userDn(uid, suffix);
    for (const one of former) known.set(keyOf(dn, markOf(one)), one);
    known.set(keyOf(dn, mark), hash);
  }
  known.set(keyOf(appliedOf(suffix), digest), await argon2idHash(digest));
  return (dn, mark) => known.get(keyOf(dn, mark));
}
