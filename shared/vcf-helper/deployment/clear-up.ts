// What became of an import that did not come to its end: the lease is ended at the target, which removes what it had created.
// Where that can't be done, or is not known, it is said; nothing else is ever deleted.
import type { JobRun } from '../../jobs/run.ts';
import { Problem } from '../../operation/problems.ts';
import { serverText } from '../../remote/target.ts';
import { VsphereFault } from '../../vsphere/fault.ts';
import { machinesNamed } from '../../vsphere/inventory.ts';
import { abortLease, leaseState } from '../../vsphere/lease.ts';
import type { VsphereSession } from '../../vsphere/session.ts';
import { gone, type Hypervisor, hasLogin } from './login.ts';
import { NO_IMPORT, note, notesOf, requestOf } from './notes.ts';
import { type DeploymentRequest, sameName } from './request.ts';
import { deploymentShell } from './shell.ts';

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
 * known to be complete. A lease belongs to the login that made it, which ended with the process that had it: then its time
 * has to run out, after which the target removes what belongs to it.
 * @throws Problem `remote_credential_gone` when nobody can be asked; `vm_name_taken` for a machine that may be its own
 */
export async function clearUp({ job, hypervisor }: Importing): Promise<void> {
  const { lease, importing, making, completing, machine } = notesOf(job);
  if (machine !== undefined || (!lease && !importing)) return;
  const request = requestOf(job.job.input);
  if (!hasLogin(job)) throw stillOpen(request, lease ?? null);
  await job.startTask('spec');
  const session = await hypervisor.session();
  const state = lease ? (await leaseState(session, lease, { signal: job.signal })).state : 'gone';
  const completed = completing === true && (state === 'done' || state === 'gone');
  if (lease && !completed) await abortLease(session, lease);
  const left = state === 'done' ? await takenBy(session, request) : await runOut({ job, hypervisor }, request);
  if (left === null) {
    await job.say('spec', 'Nothing is left of the import that was interrupted.', { ok: true });
    return note(job, NO_IMPORT);
  }
  // Unfinished, it would have gone with its lease.
  if (!completed || left.id !== making) throw leftBehind(request, left.name);
  await note(job, { machine: left.id, ...NO_IMPORT });
  await job.say('spec', 'The import had come to its end before this job was interrupted.', { ok: true });
}

/** Waits for the machine to be removed; answers the one that is still there when its lease must have ended. */
async function runOut({ job, hypervisor }: Importing, request: DeploymentRequest) {
  const { lease_seconds, lease_slack_seconds, look_ms } = deploymentShell(job.services);
  const seconds = (notesOf(job).lease_seconds ?? lease_seconds) + lease_slack_seconds;
  // The last word of the import came before this process began, or before it was given up here.
  const began = job.services.clock.now().getTime() - process.uptime() * 1000;
  const given_up = Date.parse(notesOf(job).given_up ?? '') || 0;
  const until = Math.max(began, given_up) + seconds * 1000;
  for (let look = 0; ; look++) {
    const left = await hypervisor.ask((session) => takenBy(session, request));
    if (left === null || (look >= REMOVAL_LOOKS && job.services.clock.now().getTime() >= until)) return left;
    if (look === REMOVAL_LOOKS) await job.say('spec', RUNS_OUT);
    await job.sleep(look < REMOVAL_LOOKS ? Math.min(REMOVAL_MS, look_ms) : look_ms);
  }
}

const RUNS_OUT =
  'What the interrupted import had begun is still there. Its login ended with the service, so that it cannot be ended from here: the target gives it up by itself some minutes after the last word of it, and removes the machine. Waits for that.';

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
  if (machine !== undefined || (!lease && !importing) || job.fenced || !hasLogin(job)) return error;
  // A refusal of the target itself: nothing was created.
  if (!lease && error instanceof VsphereFault && error.fault_type !== null) {
    await note(job, NO_IMPORT);
    return error;
  }
  const request = requestOf(job.job.input);
  const [said, clean] = await ended(hypervisor, request, lease ?? null);
  await note(job, clean ? NO_IMPORT : { given_up: job.services.clock.now().toISOString() });
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
    const outcome = lease ? await abortLease(session, lease, { signal }) : 'gone';
    const left = await leftAfter(session, request, lease ? REMOVAL_LOOKS : 1);
    if (left === null) {
      return [outcome === 'aborted' ? ENDED : 'Nothing of the import is left.', true];
    }
    if (outcome === 'aborted') return [`The lease was ended, but ${maybeOwn(left.name)}`, false];
    return [`${openText(request, lease)} For now ${maybeOwn(left.name)}`, false];
  } catch (error) {
    const why = error instanceof Problem ? error.message : 'It did not answer in time.';
    return [`${openText(request, lease)} ${why}`, false];
  }
}

const ENDED = 'The lease was ended: nothing of the import is left.';

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
