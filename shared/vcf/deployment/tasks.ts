// The steps of a deployment as its timeline shows them, and what each of them does at its beginning.
import type { JobRun } from '../../kernel/jobs/run.ts';

export const DEPLOY_KIND = 'sddc-manager-deployment';

export const TASKS = [
  { name: 'verify', title: 'Hold every file of the OVA against its manifest' },
  { name: 'spec', title: 'Log in, and have the target describe the import' },
  { name: 'lease', title: 'Begin the import' },
  { name: 'upload', title: 'Send the disks' },
  { name: 'complete', title: 'Compare what arrived, and finish the import' },
  { name: 'environment', title: 'Give the machine its OVF properties' },
  { name: 'power-on', title: 'Switch the machine on' },
  { name: 'wait', title: 'Wait until the API of the appliance answers' },
  { name: 'clear', title: 'Take the OVF properties out of the settings of the machine' },
  { name: 'dns', title: 'Save its records in DNS' },
  { name: 'trust', title: 'Have it trust the certificate authority' },
  { name: 'depot', title: 'Point it at the offline depot' },
  { name: 'sync', title: 'Have it read the metadata of the depot' },
] as const;
export type TaskName = (typeof TASKS)[number]['name'];

/** A safe point, the beginning of a step, and a place where a test may end the process. */
export async function begin(job: JobRun, name: TaskName): Promise<void> {
  await safePoint(job);
  await job.startTask(name);
  await checkpoint(job, name);
}

/** @throws the reason for which the job is to stop */
export async function safePoint(job: JobRun): Promise<void> {
  job.stopIfFenced();
  job.signal.throwIfAborted();
  await job.stopIfAsked();
}

/** Tests only: between two calls. */
export async function checkpoint(job: JobRun, name: string): Promise<void> {
  await job.services.checkpoint?.(`deploy.${name}`);
}

export async function done(job: JobRun, name: TaskName, said: string): Promise<void> {
  await job.say(name, said, { ok: true });
  await job.endTask(name, 'succeeded');
}

export async function skip(job: JobRun, name: TaskName, why: string): Promise<void> {
  await job.say(name, why);
  await job.endTask(name, 'skipped');
}
