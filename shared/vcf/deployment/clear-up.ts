// Clears up an import that was not completed: ends its lease at the target, which then removes what it had created.
// Where that fails, or its result is not known, the job says so, and the next run tries again. Nothing else is ever
// deleted.

import { instant, millisecondsLeft } from '../../ground/clock.ts';
import { deadlineIn } from '../../ground/machine/uptime.ts';
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { serverText } from '../connection/target.ts';
import { machinesNamed } from '../vsphere/inventory.ts';
import { abortLease, leaseState } from '../vsphere/lease.ts';
import type { VsphereSession } from '../vsphere/session.ts';
import { gone, type Hypervisor, hasLogin } from './login.ts';
import { NO_IMPORT, note, notesOf, requestOf } from './notes.ts';
import { type DeploymentRequest, sameName } from './request.ts';
import { deploymentShell } from './shell.ts';

interface Importing {
  job: JobRun;
  hypervisor: Hypervisor;
}

/** For all that is done after something failed, milliseconds. */
const END_MS = 20_000;
/** Milliseconds between looks while the target removes the machine. */
const REMOVAL_LOOKS = 10;
const REMOVAL_MS = 500;
/** No target says that it needs longer than this to give a lease up, seconds. */
export const LEASE_MOST = 3600;

export const nameTaken = (name: string): Problem =>
  new Problem('vm_name_taken', `The data center has a virtual machine named ${name}. Deploy again under another name.`);

/** The machine of the chosen name in the chosen data center; null when there is none. @throws the signal's reason */
export async function takenBy(session: VsphereSession, { name, placement }: DeploymentRequest, signal: AbortSignal) {
  const named = await machinesNamed(session, name, { signal });
  signal.throwIfAborted();
  return (
    named.find((one) => sameName(one.name, name) && ['', placement.datacenter_id].includes(one.datacenter_id)) ?? null
  );
}

/**
 * Clears up, at the beginning of each run, what an earlier run left open at the target. Afterwards nothing is open, or
 * the import is known to be complete. A lease belongs to its login, which ended with its process: then the lease has to
 * expire, after which the target removes the machine.
 * @throws Problem `remote_credential_gone` without a login; `vm_name_taken` for a machine that may be its own
 */
export async function clearUp({ job, hypervisor }: Importing): Promise<void> {
  const { lease, importing, making, completing, machine } = notesOf(job);
  if (machine !== undefined || (!lease && !importing)) return;
  const request = requestOf(job.job.input);
  if (!hasLogin(job)) throw stillOpen(request);
  await job.startTask('spec');
  const session = await hypervisor.session();
  const { signal } = job;
  const state = lease ? (await leaseState(session, lease, { signal })).state : 'gone';
  const completed = completing === true && (state === 'done' || state === 'gone');
  const outcome = lease && !completed ? await abortLease(session, lease, { signal }) : 'gone';
  const known = outcome === 'aborted' || state === 'error' || Boolean(making);
  const left =
    state === 'done' ? await takenBy(session, request, signal) : await runOut({ job, hypervisor }, request, known);
  if (left === null) {
    await job.say('spec', 'Nothing is left of the import that was interrupted.', { ok: true });
    return note(job, NO_IMPORT);
  }
  // Unfinished, it would have gone with its lease.
  if (!completed || left.id !== making) throw new LeftBehind(request, left.name);
  await note(job, { machine: left.id, ...NO_IMPORT });
  await job.say('spec', 'The import had come to its end before this job was interrupted.', { ok: true });
}

/**
 * Waits for the removal of the machine. Answers the machine if it is still there when its lease must have ended.
 * `known`: the import has ended, or its machine was seen. Otherwise the machine may still appear.
 */
async function runOut({ job, hypervisor }: Importing, request: DeploymentRequest, known: boolean) {
  const { lease_seconds, lease_slack_seconds, look_ms } = deploymentShell(job.services);
  const seconds = Math.min(notesOf(job).lease_seconds ?? lease_seconds, LEASE_MOST) + lease_slack_seconds;
  // The last report of the import was before this process began, or before the import was given up.
  const sinceStart = seconds * 1000 - process.uptime() * 1000;
  const given_up = Date.parse(notesOf(job).given_up ?? '') || 0;
  const left = Math.max(sinceStart, millisecondsLeft(given_up, job.services.clock.now(), seconds * 1000));
  const ended = deadlineIn(job.services, left);
  for (let look = 0, said = ''; ; look++) {
    const over = ended();
    const left = await hypervisor.ask((session) => takenBy(session, request, job.signal));
    if (left === null ? known || over : over && look >= REMOVAL_LOOKS) return left;
    const now = left === null ? MAY_SHOW : look >= REMOVAL_LOOKS ? RUNS_OUT : said;
    if (now !== said) await job.say('spec', now);
    said = now;
    await job.sleep(look < REMOVAL_LOOKS ? Math.min(REMOVAL_MS, look_ms) : look_ms);
  }
}

const RUNS_OUT =
  'What the interrupted import had begun is still there. Its login ended with the service, so that it cannot be ended from here: the target gives it up by itself some minutes after the last word of it, and removes the machine. Waits for that.';
const MAY_SHOW =
  'Whether the interrupted import was begun is not known, and nothing of it shows for now. Waits until the target must have given it up.';

async function leftAfter(session: VsphereSession, request: DeploymentRequest, looks: number, signal: AbortSignal) {
  for (let look = 1; ; look++) {
    const left = await takenBy(session, request, signal);
    if (left === null || look >= looks) return left;
    await new Promise((resolve) => setTimeout(resolve, REMOVAL_MS));
  }
}

/**
 * After a failure, a cancellation or a stop before the import was complete: ends the lease.
 * @returns the error to throw on, which also says what could not be done
 */
export async function giveUp({ job, hypervisor }: Importing, error: unknown): Promise<unknown> {
  const { lease, importing, making, machine, given_up } = notesOf(job);
  if (machine !== undefined || (!lease && !importing) || job.fenced || !hasLogin(job)) return error;
  // It was waited for, and told.
  if (error instanceof LeftBehind) return error;
  const request = requestOf(job.job.input);
  // A second try with a login that was just refused may lock the account.
  const refused = error instanceof Problem && error.code === 'remote_login_refused' && !hypervisor.isOpen;
  const [said, clean] = refused
    ? [openText(request), false]
    : await ended(hypervisor, request, { lease: lease ?? null, seen: Boolean(making) });
  await note(job, clean ? NO_IMPORT : { given_up: given_up ?? instant(job.services.clock.now()) });
  await job.say(lease ? 'upload' : 'lease', said, { ok: clean });
  return error instanceof Problem ? new Problem(error.code, `${error.message} ${said}`, error.members) : error;
}

interface Open {
  lease: string | null;
  /** The machine that it makes was there. */
  seen: boolean;
}

/** What is at the target now, in words, and whether nothing is. Never rejects; takes END_MS at most. */
async function ended(hypervisor: Hypervisor, request: DeploymentRequest, open: Open): Promise<[string, boolean]> {
  const late = new AbortController();
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.abort(LATE);
    over.reject(LATE);
  }, END_MS);
  try {
    return await Promise.race([endedBy(hypervisor, request, open, late.signal), over.promise]);
  } catch (error) {
    const why = error instanceof Problem ? error.message : LATE.message;
    return [`${openText(request)} ${why}`, false];
  } finally {
    clearTimeout(timer);
  }
}

const LATE = new Problem('remote_timeout', 'It did not answer in time.');

async function endedBy(
  hypervisor: Hypervisor,
  request: DeploymentRequest,
  { lease, seen }: Open,
  signal: AbortSignal,
): Promise<[said: string, clean: boolean]> {
  const session = await hypervisor.session(signal);
  if (lease === null) {
    const left = await takenBy(session, request, signal);
    // What does not show now may show in a moment: only its lease could be ended, and nobody knows that.
    return [left === null ? openText(request) : `${openText(request)} For now ${maybeOwn(left.name)}`, false];
  }
  const outcome = await abortLease(session, lease, { signal });
  const over = outcome === 'aborted' || seen || (await leaseState(session, lease, { signal })).state === 'error';
  const left = await leftAfter(session, request, REMOVAL_LOOKS, signal);
  if (left === null && over) return [outcome === 'aborted' ? ENDED : 'Nothing of the import is left.', true];
  if (left === null) return [openText(request), false];
  if (outcome === 'aborted') return [`The lease was ended, but ${maybeOwn(left.name)}`, false];
  return [`${openText(request)} For now ${maybeOwn(left.name)}`, false];
}

const ENDED = 'The lease was ended: nothing of the import is left.';

const openText = ({ name, target, place }: DeploymentRequest): string =>
  `The import may still be open on ${serverText(target)}: it gives it up by itself after some minutes without a word, and removes ${name} on ${place}. Look whether it did.`;

function stillOpen(request: DeploymentRequest): Problem {
  const { code, message, members } = gone('The login of the hypervisor');
  return new Problem(code, `${openText(request)} ${message}`, members);
}

const maybeOwn = (name: string): string =>
  `there is a virtual machine named ${name}: it may be what is left of this import. It was not touched.`;

class LeftBehind extends Problem {
  constructor({ place }: DeploymentRequest, name: string) {
    super(
      'vm_name_taken',
      `After the import was interrupted ${maybeOwn(name)} Look at it on ${place}; delete it there if it is unfinished, then deploy again.`,
    );
  }
}
