// Factory reset: what a new appliance has in the place of all that was saved. The host follows at the next reviewed apply, so
// the interfaces over which it is managed stay as they are.
import { join } from 'node:path';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { DATABASE_FILE } from '../../ground/store/open-store.ts';
import { type Snapshot, takeSnapshot } from '../../ground/store/snapshots.ts';
import { StartFault } from '../../ground/store/start-fault.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { forgetFailed, keepOnly } from '../../kernel/access/first-account.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import { forgetJobs, unendedJob } from '../../kernel/jobs/forget.ts';
import { forgetEveryAnswer } from '../../kernel/operation/forget-answers.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { forgetKmsRequests } from '../../services/kms/serving/requests.ts';
import { forgetEveryAttempt } from '../../services/network-boot/boot/forget-attempts.ts';
import { forgetArtifacts } from '../../services/oidc/artifacts/artifacts.ts';
import { forgetEveryObject } from '../../services/oidc/scim/objects.ts';
import { forgetSessions } from '../../services/oidc/sessions/sessions.ts';
import { forgetHostKeys } from '../../services/web-terminal/host-keys.ts';
import { forgetAlerts } from '../../vcf/alerts/alert-store.ts';
import { forgetPlans } from '../apply/forget-plans.ts';
import { totalOf } from './difference.ts';
import { emptyState } from './empty.ts';
import { stateNow } from './now.ts';
import { type Restored, restoreState } from './restore.ts';

/** Tables of which no archive has anything, and whose rows go: how their owners forget them. */
const FORGETTING: readonly { tables: readonly string[]; forget(tx: Transaction): Promise<void> }[] = [
  { tables: ['task', 'job'], forget: forgetJobs },
  { tables: ['plan'], forget: forgetPlans },
  { tables: ['boot_attempt'], forget: forgetEveryAttempt },
  { tables: ['kms_request'], forget: forgetKmsRequests },
  { tables: ['oidc_artifact'], forget: forgetArtifacts },
  { tables: ['scim_object'], forget: forgetEveryObject },
  { tables: ['oidc_session'], forget: forgetSessions },
  { tables: ['alert'], forget: forgetAlerts },
  { tables: ['terminal_host_key'], forget: forgetHostKeys },
  { tables: ['idempotency_key'], forget: forgetEveryAnswer },
  { tables: ['sign_in_throttle'], forget: forgetFailed },
];
export const FORGOTTEN: readonly string[] = FORGETTING.flatMap(({ tables }) => tables);

/** The others, and why their rows stay, or how they go. */
export const NOT_FORGOTTEN: Readonly<Record<string, string>> = {
  audit_event: 'The log tells of the reset as its newest event.',
  alert_message: 'They go with their receivers.',
  archive_copy: 'They go with their targets; the copies themselves stay where they are.',
  archive_clock: 'The clock counts anew when a schedule is switched on.',
  archive: 'Archives are the way back; encrypted ones keep what they hold.',
  unit_state: 'What is in force on the host is still so: the next plan takes it away.',
  unit_drift: 'It was found on the host.',
  unit_probe: 'It was found on the host.',
  mutation_lock: 'The reset itself holds it.',
  depot_upload: 'Its bytes lie in the depot, whose files stay; one that is abandoned ends by itself.',
  user: 'All go but the one who stays.',
  session: 'They go with the users.',
  api_token: 'They go with the users.',
  kms_receiver: 'Keys stay, and so does who was given which.',
  known_network: 'They go with the users.',
  second_factor: 'They go, those of the one who stays too.',
  recovery_code: 'They go with the second factors.',
  sign_in_step: 'They go with the second factors.',
  passkey_registration: 'They go with the second factors.',
  sign_in_provider: 'It goes with the users: nobody signs in from outside any more.',
  external_person: 'They go with the users.',
  external_sign_in: 'They go with the provider.',
  second_factor_policy: 'Nobody must have a second factor any more.',
  former_interface: 'A revision never counts back.',
  address_block: 'They follow from what is saved.',
  ocsp_signer: 'They go with their roots.',
};

export interface Reset extends Restored {
  accounts_removed: number;
}

/** @throws Problem 409 while a job runs: it would go on with what is gone */
export async function refuseWhileBusy(db: Database): Promise<void> {
  const job = await unendedJob(db);
  if (job) throw new Problem('state_conflict', `The job ${job} has not ended. Wait for it, or cancel it first.`);
}

/** The way back. @throws Problem 507 */
export async function copyBefore({ settings, clock }: Pick<Services, 'settings' | 'clock'>): Promise<Snapshot> {
  try {
    return await takeSnapshot(join(settings.data, DATABASE_FILE), 'before-reset', clock);
  } catch (error) {
    throw error instanceof StartFault ? new Problem('storage_full', `${error.message} Nothing was reset.`) : error;
  }
}

/**
 * All in the caller's transaction. `stays`: id of the one account that stays, null for none.
 * @throws Problem 409 while a job runs
 */
export async function reset(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'entropy' | 'keys' | 'keyring'>,
  actor: Actor,
  stays: string | null,
): Promise<Reset> {
  await refuseWhileBusy(tx);
  const empty = emptyState(await stateNow(tx, services, { state: new Map(), many: [] }));
  const restored = await restoreState(
    tx,
    services,
    actor,
    { state: empty, many: [] },
    { mode: 'replace', units: null },
  );
  for (const { forget } of FORGETTING) await forget(tx);
  return { ...restored, accounts_removed: await keepOnly(tx, stays) };
}

/** As it is audited. */
export function resetEvent(
  { differences, accounts_removed }: Reset,
  snapshot: string | null,
  name: string,
): AuditEvent {
  const collections = Object.fromEntries(
    differences.map((each) => [`${each.part.id}/${each.collection}`, totalOf(each)]),
  );
  const detail = { name, collections, accounts_removed, snapshot };
  return { action: 'appliance.reset', resource_type: 'appliance', resource_id: null, detail };
}
