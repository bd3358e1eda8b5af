// Answers to the polls of a console, and the boot.cfg of its loader. Neither changes anything: a console polls for ten
// minutes, and a loader may read twice.
import type { Database } from '../../../ground/store/database.ts';
import { type Applied, type AppliedHost, appliedDigest, appliedHost } from '../manifest.ts';
import { BOOT_CONFIG_FILE, kickstartPath, mediaFolder, POLL_FILE } from '../paths.ts';
import { secondsLeft, standing } from './attempt.ts';
import { type Attempt, findAttempt } from './attempt-store.ts';
import { codeOfClaim, shownCode } from './boot-code.ts';
import { renderBootConfig } from './boot-config.ts';
import { capabilityOf, isSecret, isSecretOf, secretHash } from './capability.ts';
import { type ConsoleRefusal, issuedScript, refusalScript, waitingScript } from './console.ts';
import { attemptUrl, type BootShell, loaderFor, machineOfAttempt, menuUrl, now } from './context.ts';
import { differences, readDesiredHost } from './drift.ts';

/** The attempt of a claim at the listener that it is bound to; null for every other claim. One statement. */
export async function attemptOfClaim(db: Database, claim: string, origin: string | null): Promise<Attempt | null> {
  if (!isSecret(claim)) return null;
  const attempt = await findAttempt(db, 'claim', secretHash(claim));
  if (!attempt || !isSecretOf(claim, attempt.claim_hash) || attempt.listener_origin !== origin) return null;
  return attempt;
}

/** Whether the attempt's listener is in force. */
export const listensFor = ({ manifest }: Applied, { listener_origin }: Attempt): boolean =>
  manifest.listeners.some(({ origin }) => origin === listener_origin);

/** The host of an attempt, while the applied state has the attempt's listener and the host unchanged. */
export function boundTo(applied: Applied, attempt: Attempt): AppliedHost | null {
  const found = appliedHost(applied, { id: attempt.host_id });
  return found && listensFor(applied, attempt) && appliedDigest(found) === attempt.applied_digest ? found : null;
}

/** The script for the current state of the attempt. */
export async function pollScript(
  db: Database,
  shell: BootShell,
  { attempt, claim, applied }: { attempt: Attempt; claim: string; applied: Applied },
): Promise<string> {
  const moment = now(shell);
  const origin = attempt.listener_origin;
  const machine = machineOfAttempt(attempt);
  const menu = menuUrl(origin, machine);
  const state = standing(attempt, moment);
  const refused = (reason: ConsoleRefusal) => refusalScript(reason, menu);
  if (state !== 'pending' && state !== 'issued') return refused(attempt.ended_reason ?? 'time-over');
  const found = boundTo(applied, attempt);
  if (!found) return refused('applied-changed');
  if (state === 'pending') {
    const desired = await readDesiredHost(db, attempt.host_id);
    if (!desired || differences(desired, found).length > 0) return refused('drift');
    const left = secondsLeft(attempt, moment);
    const code = shownCode(codeOfClaim(shell.keys, claim));
    const poll = attemptUrl(origin, claim, POLL_FILE);
    return waitingScript({ code, hostname: attempt.hostname, left, poll, menu });
  }
  const loader = loaderFor(found, machine.firmware);
  if (loader === null) return refused('firmware');
  return issuedScript({
    hostname: attempt.hostname,
    firmware: machine.firmware,
    folder: attemptUrl(origin, claim, ''),
    loader,
    config: BOOT_CONFIG_FILE,
    menu,
  });
}

/** boot.cfg of an authorized attempt; null in every other state. */
export function bootConfigOf(shell: BootShell, attempt: Attempt, applied: Applied): string | null {
  const found = boundTo(applied, attempt);
  if (standing(attempt, now(shell)) !== 'issued' || !found?.medium || !found.kickstart) return null;
  const { listener_origin, mac_address, kickstart_revision } = attempt;
  return renderBootConfig(found.medium.boot_config, {
    prefix: `${listener_origin}${mediaFolder(found.medium.id)}`,
    kickstart: `${listener_origin}${kickstartPath(mac_address, kickstart_revision, capabilityOf(shell.keys, attempt))}`,
  });
}
