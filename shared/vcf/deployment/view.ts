// The state of a deployment for the API and its page: one word, and machine and appliance once they are known.

import { notFound } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Job, JobState } from '../../kernel/jobs/job.ts';
import { findJob, jobNotes } from '../../kernel/jobs/job.ts';
import type { EndedJob } from '../../kernel/jobs/kind.ts';
import { serverText } from '../connection/target.ts';
import { type FoundAppliance, notesOf, powerOf, requestOf, warningsOf } from './notes.ts';
import { DEPLOY_KIND, type TaskName } from './tasks.ts';

export const DEPLOYMENT_STATES = [
  ...(['queued', 'verifying', 'importing', 'uploading', 'completing', 'switching-on', 'waiting-for-api'] as const),
  ...(['saving-records', 'adding-trust', 'configuring-depot', 'synchronising-depot'] as const),
  ...([
    'succeeded',
    'succeeded-with-warnings',
    'deployed-powered-off',
    'partial-failure',
    'failed',
    'cancelled',
  ] as const),
] as const;
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number];

const WHILE: Readonly<Record<TaskName, DeploymentState>> = {
  verify: 'verifying',
  spec: 'importing',
  lease: 'importing',
  upload: 'uploading',
  complete: 'completing',
  environment: 'switching-on',
  'power-on': 'switching-on',
  wait: 'waiting-for-api',
  clear: 'waiting-for-api',
  dns: 'saving-records',
  trust: 'adding-trust',
  depot: 'configuring-depot',
  sync: 'synchronising-depot',
};

export interface DeploymentView {
  state: DeploymentState;
  /** `vc01.lab.example` */
  server: string;
  /** Null before the import is complete. */
  machine: { id: string; name: string; place: string; power: 'on' | 'off' | 'unknown' } | null;
  appliance: FoundAppliance | null;
  /** The machine exists although the job did not succeed: it was left as it is. */
  vm_preserved: boolean;
  /** Extras that are not done, or not in force. */
  warnings: string[];
}

export type NotedJob = Pick<EndedJob, 'state' | 'tasks' | 'input' | 'kept'>;

export function deploymentView(job: NotedJob): DeploymentView {
  const { target, name, place, power_on } = requestOf(job.input);
  const notes = notesOf(job);
  const { machine, appliance = null } = notes;
  const there = machine === undefined ? null : { id: machine, name, place, power: powerOf(notes) };
  const vm_preserved = there !== null && (job.state === 'failed' || job.state === 'cancelled');
  const warnings = warningsOf(notes);
  return {
    state: job.state === 'succeeded' ? endState(power_on, warnings) : stateOf(job, there !== null),
    server: serverText(target),
    machine: there,
    appliance,
    vm_preserved,
    warnings,
  };
}

const ENDS: Partial<Record<JobState, DeploymentState>> = { failed: 'failed', cancelled: 'cancelled', queued: 'queued' };

/** Of a deployment that ended. */
export function endState(runs: boolean, warnings: readonly string[]): DeploymentState {
  if (!runs) return 'deployed-powered-off';
  return warnings.length > 0 ? 'succeeded-with-warnings' : 'succeeded';
}

function stateOf({ state, tasks }: Pick<Job, 'state' | 'tasks'>, exists: boolean): DeploymentState {
  if (state === 'failed' && exists) return 'partial-failure';
  const running = tasks.findLast((task) => task.state === 'running')?.name as TaskName | undefined;
  return ENDS[state] ?? (running ? WHILE[running] : 'verifying');
}

/** @throws Problem 404, also for a job of another kind */
export async function findDeployment(db: Database, id: string): Promise<EndedJob> {
  const job = await findJob(db, id);
  if (job.kind !== DEPLOY_KIND) throw notFound('This deployment');
  return { ...job, ...(await jobNotes(db, id)) };
}
