// Taking back what a failed registration did: at the vCenter first, so that nothing there is left without its other side.
import { Problem } from '../../ground/problems.ts';
import { Cancelled, type JobRun } from '../../kernel/jobs/run.ts';
import { listKeyProviders, removeServer } from '../vsphere/key-providers.ts';
import { inputOf, type Kept, keptIn, serverThere } from './input.ts';
import { forgetClient, takeBack } from './let-in.ts';
import { isOurs } from './own.ts';
import { providerNamed } from './task.ts';
import type { Vcenter } from './vcenter.ts';

/** For all of it at the vCenter, milliseconds. */
const MOST_MS = 60_000;

const isHalf = ({ registering, let_in, connected }: Kept): boolean => !connected && (registering === true || !!let_in);

/** The error with what stays, of a run that could not even log in. One that was stopped lets the vCenter in no more. */
export async function withRemains(job: JobRun, error: unknown): Promise<unknown> {
  const { let_in, ...kept } = keptIn(job.kept);
  if (!isHalf({ ...kept, ...(let_in && { let_in }) })) return error;
  if (error instanceof Cancelled && let_in) {
    try {
      await takeBack(job, let_in);
      await job.keep({ key_provider: kept });
    } catch (failure) {
      tellFailure(job, failure);
    }
  }
  const left = remains(job);
  return left === '' ? error : added(error, `What was done before stays so far: ${left}.`);
}

/** Of one that ends before it ran again: the vCenter is let in no more. In the caller's transaction. */
export async function shutOut(job: JobRun): Promise<void> {
  const { connected, let_in } = keptIn(job.kept);
  if (!connected && let_in) await forgetClient(job, job.transaction!, let_in);
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
    tellFailure(job, failure);
    const left = `It could not be taken back, and stays: ${remains(job)}. Remove it by hand.`;
    return added(error, `${left} ${messageOf(failure)}`);
  }
  return error instanceof Cancelled
    ? error
    : added(error, 'All that was done for it, here and at the vCenter, was taken back.');
}

function tellFailure({ services: { logger } }: JobRun, failure: unknown): void {
  logger.error('a registration at a vCenter could not be taken back', { failure: { message: messageOf(failure) } });
}

async function removeThere(job: JobRun, vcenter: Vcenter, { registering }: Kept): Promise<void> {
  if (!registering) return;
  const { cluster } = inputOf(job);
  const server = serverThere(job);
  const signal = AbortSignal.timeout(MOST_MS);
  const found = providerNamed(await vcenter.ask((at) => listKeyProviders(at, signal)), cluster);
  if (found && (await isOurs({ job, vcenter, signal }, found)))
    await vcenter.ask((at) => removeServer(at, found.id, server.name, signal));
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

/** One that was stopped and leaves something is no plain stop: nobody would look for it. */
function added(error: unknown, words: string): unknown {
  if (error instanceof Cancelled) return new Problem('state_conflict', `It was stopped. ${words}`);
  if (!(error instanceof Problem)) return error;
  return new Problem(error.code, `${error.message} ${words}`);
}
