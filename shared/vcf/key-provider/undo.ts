// Taking back what a failed registration did: at the vCenter first, so that nothing there is left without its other side.
import { Problem } from '../../ground/problems.ts';
import { Cancelled, type JobRun } from '../../kernel/jobs/run.ts';
import { listKeyProviders, removeServer } from '../vsphere/key-providers.ts';
import { inputOf, type Kept, keptIn } from './input.ts';
import { takeBack } from './let-in.ts';
import { providerNamed } from './task.ts';
import type { Vcenter } from './vcenter.ts';

/** For all of it at the vCenter, milliseconds. */
const MOST_MS = 60_000;

const isHalf = ({ registering, let_in, connected }: Kept): boolean => !connected && (registering === true || !!let_in);

/** The error with what stays, of a run that could not even log in. */
export function withRemains(job: JobRun, error: unknown): unknown {
  if (!isHalf(keptIn(job.kept))) return error;
  return added(error, `What was done before stays so far: ${remains(job)}.`);
}

/** Takes back; answers the error with what came of that. @throws nothing */
export async function undone(job: JobRun, vcenter: Vcenter, error: unknown): Promise<unknown> {
  const kept = keptIn(job.kept);
  if (!isHalf(kept)) return error;
  try {
    await removeThere(job, vcenter, kept);
    await job.keep({ key_provider: { ...kept, registering: false } });
    if (kept.let_in) await takeBack(job, kept.let_in);
    await job.keep({ key_provider: {} });
  } catch (failure) {
    const { logger } = job.services;
    logger.error('a registration at a vCenter could not be taken back', { failure: { message: messageOf(failure) } });
    return added(error, `It could not be taken back, and stays: ${remains(job)}. ${messageOf(failure)}`);
  }
  return added(error, 'All that was done for it, here and at the vCenter, was taken back.');
}

async function removeThere(job: JobRun, vcenter: Vcenter, { registering }: Kept): Promise<void> {
  if (!registering) return;
  const { cluster, server } = inputOf(job);
  const signal = AbortSignal.timeout(MOST_MS);
  const found = providerNamed(await vcenter.ask((at) => listKeyProviders(at, signal)), cluster);
  const ours = found?.servers.some(({ name, address }) => name === server.name && address === server.address);
  if (found && ours) await vcenter.ask((at) => removeServer(at, found.id, server.name, signal));
}

function remains(job: JobRun): string {
  const { cluster, target } = inputOf(job);
  const { registering, let_in } = keptIn(job.kept);
  const there = registering ? [`the key provider ${cluster} in ${target.host}`] : [];
  const here = let_in ? [`the client ${target.host} of the provider ${let_in.provider_name} here`] : [];
  return [...there, ...here].join(', and ');
}

const messageOf = (failure: unknown): string =>
  failure instanceof Problem ? failure.message : 'Its cause is in the log.';

function added(error: unknown, words: string): unknown {
  if (error instanceof Cancelled || !(error instanceof Problem)) return error;
  return new Problem(error.code, `${error.message} ${words}`);
}
