// Brings the trees of the running slapd to the applied entries: each to what it is to hold, by difference.
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Host } from '../../../ground/machine/host.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { AppliedEntries, OrganizationEntries } from '../entries.ts';
import { argon2idHash } from '../password-hash.ts';
import { hashesOf } from '../password-store.ts';
import { changesBetween, type HashOf, MARK } from './difference.ts';
import { fill } from './filling.ts';
import type { Change, Entry } from './ldif.ts';
import { type LeftTrees, leftBy, narrowed, toldBy, writtenSince } from './left.ts';
import type { Refused } from './refusal.ts';
import { DirectoryFault, searchDirectory } from './socket.ts';
import { accountDn, appliedOf, userDn, wantedEntries } from './wanted.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

const READ = ['*', 'entryUUID', 'pwdAccountLockedTime', 'pwdPolicySubentry'];

export interface Differing {
  /** What would have to change in the tree. */
  changes: Change[];
  /** Entries of the tree, as they are: all of it, or those that may be other than they are to be. */
  found: Entry[];
}

/**
 * How a tree differs from the entries in force. `touched`: only entries that were written since the tree was left as it is to
 * be, where that is known; slapd tells them and counts the others. Else all of it is read, and what was found decides
 * whether the next look may be that short.
 */
export async function differencesOf(
  host: Shell,
  organization: OrganizationEntries,
  { entries, digest }: AppliedEntries,
  { hashOf, look, left }: { hashOf: HashOf; look: 'touched' | 'all'; left: LeftTrees },
): Promise<Differing> {
  const { suffix } = organization;
  const wanted = wantedEntries(organization, entries.policy, digest);
  const before = left.get(suffix);
  const written = look === 'touched' && before?.digest === digest && (await writtenSince(host, suffix, before, READ));
  if (written) {
    const names = new Set(written.map(({ dn }) => dn.toLowerCase()));
    const some = names.size === 0 ? [] : wanted.filter(({ dn }) => names.has(dn.toLowerCase()));
    return { changes: changesBetween(some, written, hashOf), found: written };
  }
  const told = await toldBy(host, organization);
  const found = await searchDirectory(host, suffix, READ);
  const changes = changesBetween(wanted, found, hashOf);
  if (changes.length > 0) left.delete(suffix);
  else if (told.digest === digest) left.set(suffix, leftBy(wanted, digest));
  return { changes, found };
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
  replaced: Map<string, string>;
}

export interface Following {
  db: Database;
  host: Shell;
  /** What was left in the trees; it is kept up to date here. */
  left: LeftTrees;
  /** Of the apply before. */
  before: Replaced;
}

/**
 * Each organisation by itself: what is refused in one holds up no other. `all`: also trees that tell of these entries
 * already. Those are read whole, and so is every tree of which it is not known what was left there.
 */
export async function followEntries(following: Following, applied: AppliedEntries, all: boolean): Promise<Followed> {
  const followed: Followed = { changed: 0, refused: [], faults: [], replaced: new Map() };
  for (const organization of applied.entries.organizations) {
    try {
      await followOne(following, applied, organization, all, followed);
    } catch (error) {
      if (!(error instanceof DirectoryFault)) throw error;
      followed.faults.push(`${organization.slug}: ${error.message}`);
    }
  }
  return followed;
}

/** @throws DirectoryFault */
async function followOne(
  { db, host, left, before }: Following,
  { entries, digest }: AppliedEntries,
  organization: OrganizationEntries,
  all: boolean,
  followed: Followed,
): Promise<void> {
  const { suffix } = organization;
  const wanted = wantedEntries(organization, entries.policy, digest);
  await othersTurn();
  const after = leftBy(wanted, digest);
  const told = await toldBy(host, organization);
  if (told.digest !== digest || all) {
    const known = told.digest === digest ? undefined : left.get(suffix);
    const narrow = await narrowed(host, suffix, told, [known, after], READ);
    const found = narrow?.found ?? (await searchDirectory(host, suffix, READ));
    const some = narrow ? wanted.filter(({ dn }) => narrow.names.has(dn.toLowerCase())) : wanted;
    const hashOf = await hashesIn(db, organization, digest, before, narrow?.names ?? null);
    const changes = changesBetween(some, found, hashOf);
    for (const [key, hash] of hashesAmong(changes, found)) followed.replaced.set(key, hash);
    const refused: Refused[] = [];
    const refuse = (one: Refused) => refused.push(one);
    const how = { mark: appliedOf(suffix), empty: found.length === 0 && narrow === null, refuse };
    await fill(host, suffix, changes, how).finally(() => followed.refused.push(...refused));
    followed.changed += changes.length;
    // The tree goes on telling of what was there before: what was left then is what it is compared with next.
    if (refused.length > 0) return;
  }
  left.set(suffix, after);
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

/** Of users and bind accounts that have one of these DNs, in lower case. */
function accountsAmong({ users, accounts, suffix }: OrganizationEntries, names: ReadonlySet<string>): string[] {
  const uids = users.filter(({ uid }) => names.has(userDn(uid, suffix).toLowerCase())).map(({ uid }) => uid);
  const held = accounts.filter(({ name }) => names.has(accountDn(name, suffix).toLowerCase())).map(({ name }) => name);
  return [...uids, ...held];
}

/** The saved hashes of these names, or of all; current and earlier ones, what a tree had before, and that of the digest. */
async function hashesIn(
  db: Database,
  organization: OrganizationEntries,
  digest: string,
  before: Replaced,
  names: ReadonlySet<string> | null,
): Promise<HashOf> {
  const { slug, suffix } = organization;
  const known = new Map(before);
  const asked = names === null ? null : accountsAmong(organization, names);
  for (const { uid, account, mark, hash, former } of await hashesOf(db, slug, asked)) {
    const dn = uid === null ? accountDn(account!, suffix) : userDn(uid, suffix);
    // Of one mark the newest: a person may have changed the password that it stands for.
    for (const one of former.toReversed()) known.set(keyOf(dn, one.mark), one.hash);
    known.set(keyOf(dn, mark), hash);
  }
  known.set(keyOf(appliedOf(suffix), digest), await argon2idHash(digest, 'digest'));
  return (dn, mark) => known.get(keyOf(dn, mark));
}
