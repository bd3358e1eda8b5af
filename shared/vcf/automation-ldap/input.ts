// The input of a job that gives the directory to VCF Automation, and the notes that it continues from. The job owns the LDAP
// settings of that organization until it ends.
import { instant } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { takeLock } from '../../kernel/access/mutation-lock.ts';
import { queueJob } from '../../kernel/jobs/job.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { AutomationGroup } from '../automation-api/groups.ts';
import type { LdapSettings } from '../automation-api/ldap.ts';
import type { EntityRef } from '../automation-api/session.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import type { Choice } from '../remote/wizard-credential.ts';
import type { ChosenDirectory } from './task.ts';

export const AUTOMATION_LDAP_KIND = 'automation-ldap';

export interface AutomationLdapInput extends ChosenDirectory {
  target: TrustedTarget;
  /** Null: it was typed. */
  stored: Choice | null;
  /** Of VCF Automation. */
  organization: EntityRef;
  /** Of the settings that the review showed. */
  mark: string;
  /** As reviewed: where the product finds the directory, and whose certificate it is to trust. */
  server: { host: string; port: number };
  root_sha256: string;
}

const TASKS = [
  { name: 'login', title: 'Connect, compare the certificate of the server, and log in' },
  { name: 'read', title: 'Read the LDAP settings and roles that it has' },
  { name: 'trust', title: 'Have it trust our root certificate' },
  { name: 'test', title: 'Have it test the directory' },
  { name: 'write', title: 'Write the LDAP settings' },
  { name: 'verify', title: 'Find a user and a group of the directory there' },
  { name: 'roles', title: 'Import the group, with its role' },
  { name: 'prove', title: 'Sign in there as the user' },
] as const;
export type TaskName = (typeof TASKS)[number]['name'];

export const inputOf = ({ job }: JobRun): AutomationLdapInput => job.input as unknown as AutomationLdapInput;

/** Under one name in the job. Each is kept before what it tells of is asked for, where it is not said otherwise. */
export interface Kept {
  /** Our root is added: it was not trusted before. */
  trusting?: boolean;
  /** The settings that it had. */
  writing?: LdapSettings;
  /** Kept afterwards. */
  written?: boolean;
  /** The group is imported (null), or gets a role beside those that it had. */
  group?: { before: AutomationGroup | null };
  /** Kept afterwards: a user signed in, and nothing is taken back from here on. */
  done?: boolean;
}

export const keptIn = (kept: Readonly<Record<string, unknown>>): Kept => (kept.automation_ldap ?? {}) as Kept;
export const keep = (job: JobRun, more: Kept): Promise<void> =>
  job.keep({ automation_ldap: { ...keptIn(job.kept), ...more } });

/** What is back, or was never there. */
export async function forget(job: JobRun, ...names: (keyof Kept)[]): Promise<void> {
  const rest = Object.entries(keptIn(job.kept)).filter(([name]) => !names.includes(name as keyof Kept));
  await job.keep({ automation_ldap: Object.fromEntries(rest) });
}

export const ldapLock = ({ target, organization }: Pick<AutomationLdapInput, 'target' | 'organization'>): string =>
  `automation-ldap ${target.address} ${target.port} ${organization.id}`;

/** Queues it in the caller's transaction. @throws Problem 423 that names the job which owns these settings */
export async function queueAutomationLdap(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  input: AutomationLdapInput,
  created_by: string,
): Promise<string> {
  const now = clock.now();
  const subject = serverText(input.target);
  const tasks = TASKS.map((task) => ({ ...task }));
  const job_id = await queueJob(tx, now, entropy, {
    ...{ kind: AUTOMATION_LDAP_KIND, subject, input: { ...input }, created_by, tasks },
  });
  await takeLock(tx, ldapLock(input), job_id, instant(now));
  return job_id;
}
