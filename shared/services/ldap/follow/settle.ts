// Brings passwords to slapd that people chose themselves: they are saved before slapd has them, so that nothing but the saved
// one is left however it was cut off. What another mark stands for is no matter of this: an apply brings it.
import type { Clock } from '../../../ground/clock.ts';
import type { Host } from '../../../ground/machine/host.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { Store } from '../../../ground/store/store.ts';
import type { AppliedEntries } from '../entries.ts';
import { noteSettled, type UnsettledHash, unsettledHashes } from '../password-store.ts';
import { MARK } from './difference.ts';
import type { Change, Entry } from './ldif.ts';
import { changeEach, searchDirectory, searchNames } from './socket.ts';
import { accountDn, appliedOf, userDn } from './wanted.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

const READ = ['userPassword', MARK];
/** With more names than these, reading the whole tree is no slower. */
const NAMES_MOST = 1_000;

const dnOf = ({ uid, account }: UnsettledHash, suffix: string): string =>
  uid === null ? accountDn(account!, suffix) : userDn(uid, suffix);

/** Ends what was begun with the former password while slapd still took it. */
type Ends = (tx: Transaction, entry_uuid: string, now: Date) => Promise<unknown>;

/** Of one user, or of all: answers whether slapd has every one of them now. @throws DirectoryFault when slapd does not answer */
export async function settlePasswords(
  { store, host, clock }: { store: Store; host: Shell; clock: Clock },
  { entries }: Pick<AppliedEntries, 'entries'>,
  user_id: string | null = null,
  ends: Ends | null = null,
): Promise<boolean> {
  const unsettled = await unsettledHashes(store, user_id);
  if (unsettled.length === 0) return true;
  const settled: UnsettledHash[] = [];
  for (const [slug, rows] of Map.groupBy(unsettled, (row) => row.slug)) {
    const suffix = entries.organizations.find((one) => one.slug === slug)?.suffix;
    // One that is not served gets them all when it is filled.
    settled.push(...(suffix === undefined ? rows : await settleIn(host, suffix, rows)));
  }
  await store.write(async (tx) => {
    await noteSettled(tx, settled);
    for (const { entry_uuid } of settled) if (entry_uuid !== null) await ends?.(tx, entry_uuid, clock.now());
  });
  return settled.length === unsettled.length;
}

/** Answers those that are as they are to be. */
async function settleIn(host: Shell, suffix: string, rows: readonly UnsettledHash[]): Promise<UnsettledHash[]> {
  const found = new Map((await read(host, suffix, rows)).map((entry) => [entry.dn.toLowerCase(), entry]));
  const changes = rows.flatMap((row): Change[] => {
    const dn = dnOf(row, suffix);
    const there = found.get(dn.toLowerCase())?.attributes;
    const same = there?.[MARK]?.[0] === row.mark;
    return same && there?.userPassword?.[0] !== row.hash ? [{ dn, password: row }] : [];
  });
  const refused = new Set<string>();
  await changeEach(host, changes, appliedOf(suffix), ({ dn }) => refused.add(dn));
  return rows.filter((row) => !refused.has(dnOf(row, suffix)));
}

const read = (host: Shell, suffix: string, rows: readonly UnsettledHash[]): Promise<Entry[]> =>
  rows.length > NAMES_MOST
    ? searchDirectory(host, suffix, READ)
    : searchNames(
        host,
        suffix,
        rows.map((row) => dnOf(row, suffix)),
        READ,
      );
