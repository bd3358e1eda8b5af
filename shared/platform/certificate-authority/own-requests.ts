// What one account asks for by itself, where many may: its own requests and no others, a few that wait, and a pace.
import { systemUptime, type Uptime } from '../../ground/machine/uptime.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Store } from '../../ground/store/store.ts';
import { Failures, type Slowing } from '../../kernel/access/slowing.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import { type CertificateRequest, findRequest } from './request-store.ts';

/** Requests of one account that wait at a time. */
export const OWN_WAITING_MOST = 20;
/** Signing requests of one account that are read in a row; beyond these, each costs a wait. */
const PACE: Slowing = { free: 30, first_wait: 2, longest_wait: 60 };
/** Accounts that are remembered, and for how many seconds since their last one. */
const REMEMBERED = { most: 1000, seconds: 600 };

/** An authority below this one is asked for where the appliance is run, and nowhere else. */
export const OWN_PROFILES = PROFILES.filter(
  (name): name is Exclude<ProfileName, 'subordinate'> => name !== 'subordinate',
);

const read = new WeakMap<Store, Failures>();

/**
 * Called before a signing request is read, which costs a verification. Not counted over a restart.
 * @throws Problem 429 with the seconds to wait
 */
export function takeTurn({ store, uptime = systemUptime }: { store: Store; uptime?: Uptime }, account: string): void {
  const counted = read.get(store) ?? new Failures(() => uptime.milliseconds(), REMEMBERED);
  read.set(store, counted);
  const wait = counted.wait(account, PACE);
  if (wait > 0) {
    const says = `You sent many signing requests in a short time. Wait ${wait} s and send it again.`;
    throw new Problem('too_many_attempts', says, { retry_after: wait });
  }
  counted.add(account);
}

/** @throws Problem 409 where as many requests of this account wait as may */
export async function requireRoom(tx: Transaction, by: string): Promise<void> {
  const sql = "SELECT count(*) AS count FROM certificate_request WHERE state = 'pending' AND created_by = ?";
  const { count } = (await tx.one<{ count: number }>(sql, [by]))!;
  if (count < OWN_WAITING_MOST) return;
  const says = `${OWN_WAITING_MOST} of your requests wait for a decision: ask for more when some are decided.`;
  throw new Problem('state_conflict', says);
}

/** A request of another account is as unknown as one that there never was. @throws Problem 404 */
export async function findOwnRequest(
  db: Database,
  id: string,
  by: string,
): Promise<CertificateRequest & { csr: string }> {
  const found = await findRequest(db, id);
  if (found.created_by !== by) throw notFound('This request');
  return found;
}
