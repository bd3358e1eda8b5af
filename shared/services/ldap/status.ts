// What the running directory says of its accounts: which are locked, and when one signed in last.
import * as v from 'valibot';
import { component, described, text } from '../../ground/schemas/component.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type AppliedEntries, readEntries } from './entries.ts';
import { slapdDaemon } from './files.ts';
import { type Entry, LOCKED } from './follow/ldif.ts';
import type { Refused } from './follow/refusal.ts';
import { searchDirectory, searchNames } from './follow/socket.ts';
import { standingOf } from './follow/standing.ts';
import { passwordPolicyOf } from './follow/wanted.ts';

export interface LockedAccount {
  dn: string;
  /** RFC 3339. */
  since: string;
}
export interface LdapStatus {
  running: boolean;
  /** Why there is no answer; null when there is one. */
  reason: string | null;
  /** Locked by wrong passwords. */
  locked: LockedAccount[] | null;
  /** Applied entries that it does not take; null where that is not known. */
  refused: readonly Refused[] | null;
  /** Organisations that could not be followed; null as before. */
  faults: readonly string[] | null;
}

export const ldapStatusSchema = component(
  'LdapStatus',
  v.object({
    running: described(v.boolean(), 'Whether the directory runs on the host.'),
    reason: described(v.nullable(v.string()), 'Why the accounts are null; null when they are there.'),
    locked: described(
      v.nullable(
        v.array(
          v.object({
            dn: text('Distinguished name of the account.'),
            since: described(v.string(), 'When it was locked: RFC 3339 in UTC.'),
          }),
        ),
      ),
      'Accounts that wrong passwords have locked; null where the directory can’t be asked.',
    ),
    refused: described(
      v.nullable(
        v.array(
          v.object({
            dn: text('Distinguished name of the entry.'),
            detail: text('Why it was refused, in plain words.'),
          }),
        ),
      ),
      'Applied entries that the directory refused when it was brought to them last, 20 at most of an organization. All others of organizations without a fault are as applied. Null where that is not known.',
    ),
    faults: described(
      v.nullable(v.array(v.string())),
      'Organizations that could not be brought to the applied entries, and why, one line each. Null where that is not known.',
    ),
  }),
);

const unseen = (running: boolean, reason: string): LdapStatus => ({
  ...{ running, reason },
  ...{ locked: null, refused: null, faults: null },
});

/** `20261125234501Z`, with or without a fraction → RFC 3339. */
const instantOf = (text: string): string =>
  text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/, '$1-$2-$3T$4:$5:$6Z');

/** Of an account that is disabled, which is no lock by wrong passwords. */
const FOR_GOOD = '000001010000Z';

/** slapd takes a lock away with the next sign-in alone: one that has ended by then is none. `lockout_seconds`: 0 for good. */
function lockedIn({ dn, attributes }: Entry, lockout_seconds: number, now: Date): LockedAccount[] {
  const found = attributes[LOCKED]?.[0];
  if (found === undefined || found === FOR_GOOD) return [];
  const since = instantOf(found);
  const ended = lockout_seconds > 0 && Date.parse(since) + lockout_seconds * 1000 <= now.getTime();
  return ended ? [] : [{ dn, since }];
}

/** Of the applied policy. */
const lockoutIn = (applied: AppliedEntries | null): number => applied?.entries.policy.lockout_seconds ?? 0;

/** Never throws for a directory that does not answer. Runs a program for each organisation, of some milliseconds. */
export async function ldapStatus({
  host,
  store,
  clock,
}: Pick<Services, 'host' | 'store' | 'clock'>): Promise<LdapStatus> {
  if (!host.enforces) return unseen(false, 'This is a rehearsal: the directory does not run.');
  if (!(await host.daemonRunning(slapdDaemon(host)))) return unseen(false, 'The directory does not run.');
  try {
    const applied = await readEntries(host);
    const found = [];
    for (const { suffix } of applied?.entries.organizations ?? [])
      found.push(...(await searchDirectory(host, suffix, [LOCKED], 'sub', '(pwdAccountLockedTime=*)')));
    const standing = standingOf(store);
    const told = standing && standing.digest === applied?.digest ? standing : null;
    const locked = found.flatMap((entry) => lockedIn(entry, lockoutIn(applied), clock.now()));
    return { running: true, reason: null, locked, refused: told?.refused ?? null, faults: told?.faults ?? null };
  } catch (error) {
    return unseen(true, (error as Error).message);
  }
}

export interface AccountNow {
  /** RFC 3339; null: it is not locked by wrong passwords. */
  locked_since: string | null;
  /** RFC 3339; null: it never signed in. */
  last_sign_in: string | null;
}

/** Of one account; null where the directory does not run or does not have it. */
export async function accountNow(
  { host, clock }: Pick<Services, 'host' | 'clock'>,
  dn: string,
): Promise<AccountNow | null> {
  if (!host.enforces || !(await host.daemonRunning(slapdDaemon(host)))) return null;
  // Below one of the two branches that accounts are in: names of accounts have no comma.
  const suffix = dn.split(',').slice(2).join(',');
  const policy = passwordPolicyOf(suffix);
  const asked = [LOCKED, 'pwdLastSuccess', 'authTimestamp', 'pwdLockoutDuration'];
  const found = await searchNames(host, suffix, [dn, policy], asked).catch(() => []);
  const named = (name: string) => found.find((each) => each.dn.toLowerCase() === name.toLowerCase());
  const entry = named(dn);
  if (!entry) return null;
  const last = entry.attributes.pwdLastSuccess?.[0] ?? entry.attributes.authTimestamp?.[0];
  // Of the policy that runs: the applied entries are a file of all of them, which is long to read for one number.
  const lockout = Number(named(policy)?.attributes.pwdLockoutDuration?.[0] ?? 0);
  const [lock] = lockedIn(entry, lockout, clock.now());
  return { locked_since: lock?.since ?? null, last_sign_in: last ? instantOf(last) : null };
}
