// The input of a job that mounts a datastore on hosts, or unmounts it: one step a host.
import type { Transaction } from '../../ground/store/database.ts';
import { queueJob } from '../../kernel/jobs/job.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import type { Choice } from '../remote/wizard-credential.ts';
import type { ChosenMount } from './task.ts';

export const MOUNT_KIND = 'datastore-mount';
/** Hosts of one job: each is a step of it. */
export const HOSTS_MOST = 64;

export interface MountInput extends ChosenMount {
  target: TrustedTarget;
  /** Null: it was typed. */
  stored: Choice | null;
}

export const inputOf = ({ job }: JobRun): MountInput => job.input as unknown as MountInput;
export const hostTask = (at: number): string => `host-${at + 1}`;

/** Queues it in the caller's transaction. */
export function queueMount(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  input: MountInput,
  created_by: string,
): Promise<string> {
  const verb = input.action === 'mount' ? 'Mount on' : 'Unmount from';
  return queueJob(tx, clock.now(), entropy, {
    ...{ kind: MOUNT_KIND, subject: serverText(input.target), input: { ...input }, created_by },
    tasks: [
      { name: 'login', title: 'Connect, compare the certificate of the server, and log in' },
      ...input.hosts.map(({ name }, at) => ({ name: hostTask(at), title: `${verb} ${name}` })),
    ],
  });
}
