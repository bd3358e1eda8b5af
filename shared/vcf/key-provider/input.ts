// The input of a job that registers the KMIP server at a vCenter, and the notes that it continues from. The job owns the
// key providers of that vCenter until it ends.
import { instant } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { takeLock } from '../../kernel/access/mutation-lock.ts';
import { queueJob } from '../../kernel/jobs/job.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import type { Choice } from '../remote/wizard-credential.ts';
import type { KmipServer } from '../vsphere/key-providers.ts';
import type { ChosenProvider } from './task.ts';

export const KEY_PROVIDER_KIND = 'key-provider-registration';

export interface KeyProviderInput extends ChosenProvider {
  target: TrustedTarget;
  /** Null: it was typed. */
  stored: Choice | null;
}

const TASKS = [
  { name: 'login', title: 'Connect, compare the certificate of the server, and log in' },
  { name: 'read', title: 'Read the key providers that it has' },
  { name: 'register', title: 'Register the KMIP server' },
  { name: 'trust', title: 'Have it trust the KMIP server' },
  { name: 'client', title: 'Sign its request, and trust it here' },
  { name: 'status', title: 'Wait until it is connected' },
  { name: 'default', title: 'Make it the default key provider' },
] as const;
export type TaskName = (typeof TASKS)[number]['name'];

export const inputOf = ({ job }: JobRun): KeyProviderInput => job.input as unknown as KeyProviderInput;

/** Characters of a job's id that its server is named by. */
const MARK = 8;

/**
 * The KMIP server as the vCenter has it. Its name ends with the job's id, so that a continued job knows what it registered itself
 * from what somebody registered by hand at the same place meanwhile.
 */
export function serverThere(job: JobRun): KmipServer {
  const { server } = inputOf(job);
  return { ...server, name: `${server.name}-${job.id.slice(-MARK)}` };
}

/** The client that the job let in. */
export interface LetIn {
  client_id: string;
  certificate_id: string;
  pem: string;
  provider_id: string;
  provider_name: string;
  /** The provider is the job's as well. */
  made_provider: boolean;
}

/** Under one name in the job. */
export interface Kept {
  /** Set before vCenter is asked to register. */
  registering?: boolean;
  let_in?: LetIn;
  /** vCenter said that it is connected: nothing is taken back from here on. */
  connected?: boolean;
}

export const keptIn = (kept: Readonly<Record<string, unknown>>): Kept => (kept.key_provider ?? {}) as Kept;
export const keep = (job: JobRun, more: Kept): Promise<void> =>
  job.keep({ key_provider: { ...keptIn(job.kept), ...more } });

export const providerLock = ({ address, port }: Pick<TrustedTarget, 'address' | 'port'>): string =>
  `key-provider ${address} ${port}`;

/** Queues it in the caller's transaction. @throws Problem 423 that names the job which owns the vCenter's providers */
export async function queueRegistration(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  input: KeyProviderInput,
  created_by: string,
): Promise<string> {
  const now = clock.now();
  const subject = serverText(input.target);
  const tasks = TASKS.map((task) => ({ ...task }));
  const job_id = await queueJob(tx, now, entropy, {
    ...{ kind: KEY_PROVIDER_KIND, subject, input: { ...input }, created_by, tasks },
  });
  await takeLock(tx, providerLock(input.target), job_id, instant(now));
  return job_id;
}
