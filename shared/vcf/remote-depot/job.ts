// Configuring the depot of one appliance as a durable job: connect, log in, set the depot, synchronise. After a restart
// it continues, and does not set the depot twice. Passwords are in memory only; when they are gone it fails with that
// cause, and continues once they are typed again.

import { instant } from '../../ground/clock.ts';
import { deadlineIn } from '../../ground/machine/uptime.ts';
import { Problem } from '../../ground/problems.ts';
import { releaseLocks, takeLock } from '../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { ContinuationField, EndedJob, JobKind } from '../../kernel/jobs/kind.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { serverText } from '../connection/target.ts';
import { visitAppliance } from '../remote/appliance-visit.ts';
import { jobContext, openJobLogin } from '../remote/stored-login.ts';
import { type Appliance, ROLE_TITLES } from '../vcf-api/appliance.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { DEPOT_KIND, depotLock, type RemoteDepotInput, requireWanted } from './input.ts';
import { requireDepot, requireRetyped } from './local.ts';
import { isBreak, PACE, Patience } from './patience.ts';
import { type DepotDone, type DepotEndpoint, depotSteps, isDepotSet } from './steps.ts';
import { DEPOT_TASK, taskHref } from './task.ts';

export interface RemoteDepotResult extends DepotDone {
  server: string;
  machine: string;
  version: string;
  depot: string;
}

/** The hour of a synchronisation, and the minutes before and after it. */
const SECONDS = 80 * 60;

export const depotJob: JobKind = {
  kind: DEPOT_KIND,
  says: (subject) => `Configure the offline depot of ${subject}`,
  page: ({ id }) => ({ href: taskHref(id), label: 'Configuration' }),
  lane: 'remote',
  stops: DEPOT_TASK.scope,
  keepsSucceeded: true,
  continues,
  // A stored login of somebody who chose it is not used for somebody who types another one.
  continuedInput: (input) => ({ ...input, stored: null, retyped: true }),
  async run(job): Promise<RemoteDepotResult> {
    await own(job);
    await begin(job, 'connect');
    const endpoint = await requireDepot(job.services);
    requireWanted(inputOf(job), endpoint);
    const password = await typedPassword(job, endpoint);
    return visitPatiently(job, endpoint, password);
  },
  async ended(job, outcome) {
    const { target, wanted } = inputOf(job);
    await releaseLocks(job.transaction!, job.id);
    await appendAudit(
      job.transaction!,
      job.services.keys,
      jobContext(job),
      {
        action: 'remote.depot.configure',
        resource_type: 'remote_target',
        resource_id: null,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: { job_id: job.id, server: serverText(target), ...wanted, set: isDepotSet(job.kept), ended: outcome },
      },
      { holdsLock: true },
    );
  },
};

const inputOf = ({ job }: JobRun): RemoteDepotInput => job.input as unknown as RemoteDepotInput;

/** Also for a job that is continued: another job may own the machine meanwhile. @throws Problem 423 */
async function own(job: JobRun): Promise<void> {
  const { services } = job;
  const since = instant(services.clock.now());
  await services.store.write((tx) => takeLock(tx, depotLock(inputOf(job).target), job.id, since));
}

async function begin(job: JobRun, name: 'connect' | 'login'): Promise<void> {
  job.stopIfFenced();
  await job.stopIfAsked();
  await job.startTask(name);
  await job.services.checkpoint?.(`remote-depot.${name}`);
}

async function tell(
  job: JobRun,
  part: 'connect' | 'login',
  appliance: Appliance | null,
  known: boolean,
): Promise<void> {
  if (appliance && !known)
    await job.say(part, `${ROLE_TITLES[appliance.role]} ${appliance.version.text}`, { ok: true });
  await job.endTask(part, 'succeeded');
  if (part === 'connect') await begin(job, 'login');
}

/** An appliance that restarts after its depot was set is waited for; before that it is told. */
async function visitPatiently(
  job: JobRun,
  endpoint: DepotEndpoint,
  password: string | null,
): Promise<RemoteDepotResult> {
  const patience = new Patience(job, 'connect');
  const over = deadlineIn(job.services, PACE.patience_ms);
  for (;;) {
    let inside = false;
    try {
      return await visit(job, endpoint, password, () => {
        inside = true;
      });
    } catch (error) {
      const waits = isDepotSet(job.kept) && !inside && isBreak(error);
      if (!waits || over()) throw error;
      await patience.bear(error, job.signal);
    }
    await job.sleep(PACE.every_ms);
  }
}

function visit(job: JobRun, endpoint: DepotEndpoint, password: string | null, entered: () => void) {
  const { target, replace, rewrite } = inputOf(job);
  let known = false;
  const about = {
    credential: () => credentialOf(job),
    async reached(part: 'connect' | 'login', appliance: Appliance | null) {
      await tell(job, part, appliance, known);
      known = appliance !== null;
    },
    ...{ signal: job.signal, renews: true as const, seconds: SECONDS },
  };
  return visitAppliance(job.services, target, about, async (session, appliance, signal) => {
    entered();
    const work = { endpoint, password, replace: replace ?? false, rewrite };
    const done = await depotSteps(job, session, appliance, work, signal);
    const machine = { machine: ROLE_TITLES[appliance.role], version: appliance.version.text };
    return { ...done, server: serverText(target), ...machine, depot: inputOf(job).wanted.depot };
  });
}

/** Null when there is none any more. One that was typed after the review is checked before anything is sent. */
async function typedPassword(job: JobRun, { username }: DepotEndpoint): Promise<string | null> {
  const typed = job.secrets?.depot_password ?? null;
  if (typed === null || isDepotSet(job.kept) || !inputOf(job).retyped) return typed;
  await requireRetyped(job.services, username, typed);
  return typed;
}

/** The login typed for this job; else the stored credential, whose use is recorded; without both the job fails. */
async function credentialOf(job: JobRun): Promise<ApplianceCredential> {
  const { username, password } = job.secrets ?? {};
  if (username !== undefined && password !== undefined) return { username, password };
  const { target, stored } = inputOf(job);
  if (!stored) throw new Problem('remote_credential_gone', isDepotSet(job.kept) ? GONE_AFTER : GONE_BEFORE);
  return openJobLogin(job, stored, target, DEPOT_TASK.purpose);
}

const GONE_BEFORE =
  'The typed passwords were kept in memory only: the service was restarted, or half an hour went by. Enter them again to continue; what was not done yet is done then.';
const GONE_AFTER =
  'The depot is set. To follow its synchronisation the login is needed, which was kept in memory only: the service was restarted. Enter it again to continue; the depot is not set twice.';

const LOGIN: readonly ContinuationField[] = [
  { name: 'username', label: 'User name', kind: 'text' },
  { name: 'password', label: 'Password', kind: 'password', help: 'Of the appliance, for this job only.' },
];

function continues({ kept }: EndedJob) {
  const depot: ContinuationField = {
    name: 'depot_password',
    label: 'Depot password',
    kind: 'password',
    help: 'Of the user of this appliance’s depot.',
  };
  return { scope: DEPOT_TASK.scope, fields: isDepotSet(kept) ? LOGIN : [...LOGIN, depot] };
}
