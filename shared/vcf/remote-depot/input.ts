// The input of a job that configures another appliance's depot. The job owns that machine until it ends.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { takeLock } from '../../kernel/access/mutation-lock.ts';
import { queueJob } from '../../kernel/jobs/job.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import type { Choice } from '../remote/wizard-credential.ts';
import { depotText } from '../vcf-api/depot.ts';
import { DEPOT_TASKS, type DepotEndpoint } from './steps.ts';

export const DEPOT_KIND = 'offline-depot-configuration';

export interface RemoteDepotInput {
  target: TrustedTarget;
  /** Null: it was typed. */
  stored: Choice | null;
  /** The reviewed depot of this appliance, and its root. */
  wanted: { depot: string; ca_sha256: string };
  /** The depot that may be replaced, as it was confirmed; null: none. */
  replace: string | null;
  rewrite: boolean;
  /** The passwords were typed again to continue the job. */
  retyped?: boolean;
}

const TASKS = [
  { name: 'connect', title: 'Connect, and compare the certificate of the server' },
  { name: 'login', title: 'Log in' },
  ...DEPOT_TASKS,
] as const;

/** Lock of a machine, by address and port, whatever its name. For all work that configures a machine's depot. */
export const depotLock = ({ address, port }: Pick<TrustedTarget, 'address' | 'port'>): string =>
  `remote-depot ${address} ${port}`;

export const wantedOf = (endpoint: DepotEndpoint): RemoteDepotInput['wanted'] => ({
  depot: depotText(endpoint),
  ca_sha256: endpoint.ca_sha256,
});

/** @throws Problem 409 when this appliance's depot differs from the reviewed one */
export function requireWanted({ wanted }: RemoteDepotInput, endpoint: DepotEndpoint): void {
  const { depot, ca_sha256 } = wantedOf(endpoint);
  if (depot === wanted.depot && ca_sha256 === wanted.ca_sha256) return;
  throw new Problem(
    'state_conflict',
    `The depot of this appliance is ${depot} now; ${wanted.depot} was reviewed. Configure it again.`,
  );
}

/** Queues it in the caller's transaction. @throws Problem 423 that names the job which owns the machine */
export async function queueRemoteDepot(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  input: RemoteDepotInput,
  created_by: string,
): Promise<string> {
  const now = clock.now();
  const subject = serverText(input.target);
  const tasks = TASKS.map((task) => ({ ...task }));
  const job_id = await queueJob(tx, now, entropy, {
    ...{ kind: DEPOT_KIND, subject, input: { ...input }, created_by, tasks },
  });
  await takeLock(tx, depotLock(input.target), job_id, instant(now));
  return job_id;
}
