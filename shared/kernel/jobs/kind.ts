// The declaration of a kind of job: how it runs, beside which others, and what it needs to continue after a failure.

import type { ErrorCode } from '../../ground/problems.ts';
import type { Scope } from '../access/scopes.ts';
import type { Job } from './job.ts';
import type { JobRun } from './run.ts';

export type Lane = 'host' | 'remote' | 'files';

/** Most at a time, by lane. Jobs on this host run one at a time; so do jobs on large files, in their own lane. */
export const AT_ONCE: Readonly<Record<Lane, number>> = { host: 1, remote: 4, files: 1 };

export type JobOutcome = 'succeeded' | 'failed' | 'cancelled';

/** A job that ended, with the parts that only its kind may read. */
export interface EndedJob extends Job {
  input: Readonly<Record<string, unknown>>;
  kept: Readonly<Record<string, unknown>>;
}

export interface ContinuationField {
  /** Unique among them; the key under which jobSecrets has what was typed. */
  name: string;
  label: string;
  kind: 'text' | 'password';
  help?: string;
  /** Characters of the answer; by default 1024. */
  most?: number;
  /** What the field shows at first; texts only. */
  value?: string;
}

/** What has to be typed again before a failed job can go on, and who may do it. */
export interface Continuation {
  scope: Scope;
  fields: readonly ContinuationField[];
}

/** A page that shows a job better than the page of any job does. */
export interface JobPage {
  href: string;
  /** Label of the page: `Plan`. */
  label: string;
}

/** As the contract lists them: `kind` of each in registry.ts. */
export const JOB_KIND_NAMES = [
  'apply',
  'unpack-medium',
  'depot-upload',
  'certificate-trust',
  'vault-rotate',
  'sddc-manager-deployment',
  'offline-depot-configuration',
  'key-provider-registration',
  'automation-ldap',
  'datastore-mount',
  'archive-schedule',
  'scim-push',
  'dns-records-import',
] as const;

export interface JobKind {
  kind: string;
  /** What a job about this subject does, in one line without a full stop: `Deploy sddc-manager to vc01.lab.example`. */
  says?(subject: string): string;
  /** The page of this kind that follows a job; without one, the page of any job does. */
  page?(job: { id: string; subject: string }): JobPage;
  /** A file about a job that failed, for whoever mends what it was given. */
  file?(job: { id: string }): JobPage;
  /** `remote`, `files`: runs beside others instead of in the queue of what touches this host. Default `host`. */
  lane?: Lane;
  /** Scope that may stop it beside write:jobs: the one that starts it. */
  stops?: Scope;
  /** Answers the job's result; an exception becomes the job's error. Called again for the same job after a crash. */
  run(job: JobRun): Promise<unknown>;
  /** Its `run` calls stopIfSpent itself, where it can roll back; others are stopped before they run again. */
  putsBack?: true;
  /** In the transaction that ends the job: releases what it held. */
  ended?(job: JobRun, outcome: JobOutcome): Promise<void>;
  /** After that commit: removes what only an unfinished job needs. */
  swept?(job: JobRun): Promise<void>;
  /**
   * What has to be typed again to continue a failed job; null: it can't continue. Called only after CONTINUED_AFTER and
   * its own causes.
   */
  continues?(job: EndedJob): Continuation | null;
  /** Causes of a failure, beside a login that is gone or was refused, after which it can go on. */
  continuesAfter?: readonly ErrorCode[];
  /** A continued job begins after the tasks that succeeded, not with its first. */
  keepsSucceeded?: true;
  /** The job's input from then on, where the one it was queued with must not be used again. */
  continuedInput?(input: Record<string, unknown>): Record<string, unknown>;
}
