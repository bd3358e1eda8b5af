// What became of an import that did not come to its end: the lease is ended at the target, which removes what it had created.
// Where that can't be done, or is not known, it is said; nothing else is ever deleted.
import type { JobRun } from '../../jobs/run.ts';
import { Problem } from '../../operation/problems.ts';
import { serverText } from '../../remote/target.ts';
import { VsphereFault } from '../../vsphere/fault.ts';
import { machinesNamed } from '../../vsphere/inventory.ts';
import { abortLease, leaseState } from '../../vsphere/lease.ts';
import { machineFacts } from '../../vsphere/machine.ts';
import type { VsphereSession } from '../../vsphere/session.ts';
import { gone, type Hypervisor, hasLogin } from './login.ts';
import { NO_IMPORT, note, notesOf, requestOf } from './notes.ts';
import { type DeploymentRequest, sameName } from './request.ts';

interface Importing {
  job: JobRun;
  hypervisor: Hypervisor;
}

/** For ending a lease after something failed, milliseconds. */
const END_MS = 20_000;
/** While the target removes what it had created. */
const REMOVAL_LOOKS = 10;
const REMOVAL_MS = 500;

export const nameTaken = (name: string): Problem =>
  new Problem('vm_name_taken', `The data center has a virtual machine named ${name}. Deploy again under another name.`);

/** The machine of the chosen name in the chosen data center; null when there is none. */
export async function takenBy(session: VsphereSession, { name, placement }: DeploymentRequest) {
  const named = await machinesNamed(session, name);
  return (
    named.find((one) => sameName(one.name, name) && ['', placement.datacenter_id].includes(one.datacenter_id)) ?? null
  );
}

/**
 * At the beginning of each run: what a run before it left open at the target. Afterwards nothing is open, or the import is
 * known to be complete.
 * @throws Problem `remote_credential_gone` when nobody can be asked; `vm_name_taken` for a machine that may be its own
 */
export async function clearUp({ job, hypervisor }: Importing): Promise<void> {
  const { lease, importing, making, completing, machine } = notesOf(job);
  if (machine !== undefined || (!lease && !importing)) return;
  const request = requestOf(job.job.input);
  if (!hasLogin(job)) throw stillOpen(request, lease ?? null);
  await job.startTask('spec');
  const session = await hypervisor.session();
  if (lease && completing && making && (await isComplete(session, lease, making))) {
    await note(job, { machine: making, ...NO_IMPORT });
    await job.say('complete', 'The import had come to its end before this job was interrupted.', { ok: true });
    return;
  }
  if (lease) {
    const ended = await abortLease(session, lease);
    await job.say('lease', ENDED[ended], { ok: true });
  }
  const left = await leftAfter(session, request, lease ? REMOVAL_LOOKS : 1);
  if (left) throw leftBehind(request, left.name);
  await note(job, NO_IMPORT);
}

const ENDED = {
  aborted: 'The lease of the interrupted import was ended: the target removes what it had created.',
  gone: 'The lease of the interrupted import is no longer open.',
} as const;

/** One that ended in any other way would have taken the machine with it. */
async function isComplete(session: VsphereSession, lease: string, making: string): Promise<boolean> {
  const { state } = await leaseState(session, lease);
  return (state === 'done' || state === 'gone') && (await machineFacts(session, making)) !== null;
}

async function leftAfter(session: VsphereSession, request: DeploymentRequest, looks: number) {
  for (let look = 1; ; look++) {
    const left = await takenBy(session, request);
    if (left === null || look >= looks) return left;
    await new Promise((resolve) => setTimeout(resolve, REMOVAL_MS));
  }
}

/**
 * After a failure, a cancellation or a stop before the import was complete: ends the lease.
 * @returns the error to go on with, which says what could not be done
 */
export async function giveUp({ job, hypervisor }: Importing, error: unknown): Promise<unknown> {
  const { lease, importing, machine } = notesOf(job);
  if (machine !== undefined || (!lease && !importing) || job.fenced) return error;
  // A refusal of the target itself: nothing was created.
  if (!lease && error instanceof VsphereFault && error.fault_type !== null) {
    await note(job, NO_IMPORT);
    return error;
  }
  const request = requestOf(job.job.input);
  const [said, clean] = await ended(hypervisor, request, lease ?? null);
  if (clean) await note(job, NO_IMPORT);
  await job.say(lease ? 'upload' : 'lease', said, { ok: clean });
  return error instanceof Problem ? new Problem(error.code, `${error.message} ${said}`, error.members) : error;
}

/** In words what is at the target now, and whether nothing is. Never rejects. */
async function ended(
  hypervisor: Hypervisor,
  request: DeploymentRequest,
  lease: string | null,
): Promise<[said: string, clean: boolean]> {
  try {
    const signal = AbortSignal.timeout(END_MS);
    const session = await hypervisor.session(signal);
    if (lease) await abortLease(session, lease, { signal });
    const left = await leftAfter(session, request, lease ? REMOVAL_LOOKS : 1);
    if (left) return [`The lease was ended, but ${maybeOwn(left.name)}`, false];
    return [lease ? 'The lease was ended: nothing of the import is left.' : 'Nothing of the import is left.', true];
  } catch (error) {
    const why = error instanceof Problem ? error.message : 'It did not answer in time.';
    return [`${openText(request, lease)} ${why}`, false];
  }
}

function openText({ name, target, place }: DeploymentRequest, lease: string | null): string {
  const which = lease === null ? '' : ` (${lease})`;
  return `The import${which} may still be open on ${serverText(target)}: it gives it up by itself after some minutes without a word, and removes ${name} on ${place}. Look whether it did.`;
}

function stillOpen(request: DeploymentRequest, lease: string | null): Problem {
  const { code, message, members } = gone('The login of the hypervisor');
  return new Problem(code, `${openText(request, lease)} ${message}`, members);
}

const maybeOwn = (name: string): string =>
  `there is a virtual machine named ${name}: it may be what is left of this import. It was not touched.`;

const leftBehind = ({ place }: DeploymentRequest, name: string): Problem =>
  new Problem(
    'vm_name_taken',
    `After the import was interrupted ${maybeOwn(name)} Look at it on ${place}; delete it there if it is unfinished, then deploy again.`,
  );
