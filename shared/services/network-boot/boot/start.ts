// The first two steps of a boot: the menu, and the choice that starts an attempt and its ten minutes.
import { instant, newId } from '../../../ground/clock.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Applied, type AppliedHost, appliedDigest, appliedHost } from '../manifest.ts';
import { LIFETIME, standing, windowFrom } from './attempt.ts';
import {
  type Attempt,
  endAttempt,
  findAttempt,
  insertAttempt,
  openAttemptsOf,
  startedWithin,
} from './attempt-store.ts';
import { codeHash, codeOfClaim } from './boot-code.ts';
import { newClaim, secretHash } from './capability.ts';
import { type ConsoleRefusal, menuScript } from './console.ts';
import { type BootShell, lifetime, loaderFor, type Machine, menuUrl, now, startUrl } from './context.ts';
import { differences, readDesiredHost } from './drift.ts';
import { bootsFromDisk } from './local-disk.ts';
import { boundTo } from './poll.ts';

/** Attempts of one machine within one lifetime, at most: each is a row, and allows five guesses. */
export const STARTS_MOST = 12;

/** The menu of a machine. One statement. */
export async function menuFor(db: Database, applied: Applied, origin: string, machine: Machine): Promise<string> {
  const found = appliedHost(applied, machine);
  const obstacle = obstacleOf(found, machine);
  const last = found ? await findAttempt(db, 'last_of_mac', machine.mac_address) : null;
  return menuScript({
    title: found?.host.hostname ?? machine.mac_address,
    entry: obstacle ? null : `Install ESXi: ${found!.medium!.name}`,
    ...(obstacle && { reason: obstacle }),
    start: startUrl(origin, machine),
    menu: menuUrl(origin, machine),
    installed: bootsFromDisk(last),
  });
}

/** Why the machine can't install, by the applied state alone. */
function obstacleOf(found: AppliedHost | null, { firmware }: Machine): ConsoleRefusal | null {
  if (!found) return 'unknown';
  if (!found.kickstart || !found.medium) return 'incomplete';
  return loaderFor(found, firmware) === null ? 'firmware' : null;
}

export type Started =
  | { refused: ConsoleRefusal }
  | { attempt: Attempt; claim: string; superseded: Attempt[]; refused?: never };

/**
 * Starts an attempt. An attempt that is open for the host ends, since a host has one console. But anybody in the boot
 * network can send this request with any MAC address: an authorized attempt ends only for a request from its own
 * address. Writes nothing when it refuses.
 */
export async function startAttempt(
  tx: Transaction,
  shell: BootShell,
  asked: { applied: Applied; origin: string; machine: Machine; source_address: string },
): Promise<Started> {
  const { applied, origin, machine, source_address } = asked;
  const found = appliedHost(applied, machine);
  const obstacle = obstacleOf(found, machine);
  if (obstacle) return { refused: obstacle };
  const { host, kickstart, medium } = found!;
  const desired = await readDesiredHost(tx, host.id);
  if (!desired || differences(desired, found!).length > 0) return { refused: 'drift' };
  const moment = now(shell);
  const recent = await startedWithin(tx, machine.mac_address, moment.at, LIFETIME);
  if (recent >= STARTS_MOST) return { refused: 'too-often' };
  const superseded = await openAttemptsOf(tx, host.id);
  const others = superseded.filter((open) => open.source_address !== source_address);
  // An authorized attempt that the applied state no longer serves does not count: it can't be completed.
  if (others.some((open) => standing(open, moment) === 'issued' && boundTo(applied, open)))
    return { refused: 'authorized' };
  for (const open of superseded) {
    await endAttempt(tx, open.id, standing(open, moment) === 'expired' ? 'time-over' : 'superseded', moment.at);
  }
  const claim = newClaim(shell.entropy);
  const attempt: Attempt = {
    id: newId('attempt', shell.entropy),
    host_id: host.id,
    hostname: host.hostname,
    ...machine,
    source_address,
    claim_hash: secretHash(claim),
    code_hash: codeHash(shell.keys, codeOfClaim(shell.keys, claim)),
    capability_hash: null,
    listener_origin: origin,
    kickstart_id: kickstart!.id,
    kickstart_revision: kickstart!.revision,
    media_id: medium!.id,
    applied_digest: appliedDigest(found!),
    manifest_digest: applied.digest,
    state: 'pending',
    wrong_codes: 0,
    created_at: instant(moment.at),
    ...windowFrom(moment, lifetime(shell)),
    authorized_at: null,
    authorized_by: null,
    ended_at: null,
    ended_reason: null,
    ended_from: null,
  };
  await insertAttempt(tx, attempt);
  return { attempt, claim, superseded };
}
