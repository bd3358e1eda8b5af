// Pointing one appliance at the depot of this one: read its depot, set it where it is not right already, start a
// synchronisation of its metadata and wait for the end, check again. Each done step is stored, so that a continued job
// sets nothing twice.

import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { Cancelled } from '../../kernel/jobs/run.ts';
import { type Appliance, ROLE_TITLES } from '../vcf-api/appliance.ts';
import {
  DEPOT_SUCCESS,
  type DepotAddress,
  depotText,
  desiredDepot,
  putDepot,
  type RemoteDepot,
  readDepot,
  readSync,
  SYNCED,
  sameDepot,
  trustsByItself,
} from '../vcf-api/depot.ts';
import type { ApplianceSession } from '../vcf-api/session.ts';
import { isBreak, PACE, patiently, until } from './patience.ts';
import { synchronise } from './sync.ts';
import { refusedDepot, unusableDepot } from './words.ts';

/** The depot of this appliance, as another one is to use it. */
export interface DepotEndpoint extends DepotAddress {
  ca_pem: string;
  ca_sha256: string;
}

export interface DepotWork {
  endpoint: DepotEndpoint;
  /** Password of the depot's user. Null when it is gone: then only steps without it can be done. */
  password: string | null;
  /** Whether another depot may be replaced: any, none, or the confirmed one, as `depotText` writes it. */
  replace: boolean | string;
  /** Sets it even where it seems right already: after the password of the depot's user was changed. */
  rewrite?: boolean;
}

/** `no-op`: all was right already. `synchronised`: the depot was right, its metadata was not. */
export type DepotOutcome = 'no-op' | 'synchronised' | 'configured' | 'replaced' | 'written-again';

export interface DepotDone {
  outcome: DepotOutcome;
  /** The depot that was replaced, or null. */
  before: string | null;
}

/** The two tasks; a job of another kind that uses these steps has them too. */
export const DEPOT_TASKS = [
  { name: 'depot', title: 'Set the depot' },
  { name: 'sync', title: 'Synchronise with the depot, and look again' },
] as const;

/** The stored state, under one name in the job. */
interface Kept {
  /** Set before the appliance is changed: the depot that it had. */
  putting?: DepotDone;
  put?: DepotDone;
}

const keptOf = (job: JobRun): Kept => (job.kept.remote_depot ?? {}) as Kept;
const keep = (job: JobRun, more: Kept): Promise<void> => job.keep({ remote_depot: { ...keptOf(job), ...more } });

/** Whether the depot is set: the remaining steps do not need the depot's password. */
export const isDepotSet = (kept: Readonly<Record<string, unknown>>): boolean =>
  (kept.remote_depot as Kept | undefined)?.put !== undefined;

/**
 * Runs the tasks `depot` and `sync`. The session has to renew itself: it is used for an hour and more.
 * @param signal default: that of the job.
 * @throws Problem 409 `depot_replacement_unconfirmed`, `remote_credential_gone` without the password, `remote_…`
 */
export async function depotSteps(
  job: JobRun,
  session: ApplianceSession,
  appliance: Appliance,
  work: DepotWork,
  signal: AbortSignal = job.signal,
): Promise<DepotDone> {
  const done = keptOf(job).put ?? (await depotTask({ job, session, signal }, appliance, work));
  // When it ended stays true for whoever goes on from there.
  if (!(await job.succeeded('depot'))) await job.endTask('depot', 'succeeded');
  if (done.outcome === 'no-op') {
    await job.endTask('sync', 'skipped');
    return done;
  }
  await begin(job, 'sync');
  try {
    await synchronise({ job, session, signal, submitted: secretsOf(work) });
    await verify({ job, session, signal }, work);
  } catch (error) {
    if (signal.reason instanceof Cancelled) await job.say('sync', STAYS);
    throw error;
  }
  await job.endTask('sync', 'succeeded');
  return done;
}

interface Scene {
  job: JobRun;
  session: ApplianceSession;
  signal: AbortSignal;
}

async function begin(job: JobRun, name: string): Promise<void> {
  job.stopIfFenced();
  await job.stopIfAsked();
  await job.startTask(name);
  await job.services.checkpoint?.(`remote-depot.${name}`);
}

async function depotTask(scene: Scene, appliance: Appliance, work: DepotWork): Promise<DepotDone> {
  const { job, session, signal } = scene;
  await begin(job, 'depot');
  const { endpoint, replace } = work;
  const current = await patiently(scene, 'depot', () => readDepot(session, signal, secretsOf(work)));
  const same = sameDepot(current, endpoint);
  const right = isRight(current, endpoint);
  const { putting } = keptOf(job);
  if (putting && right) {
    await job.say('depot', 'The appliance saved it before this job was interrupted.', { ok: true });
    return set(job, putting);
  }
  await job.say('depot', current ? `It has ${stateText(current)}.` : 'It has no depot yet.');
  if (right && !work.rewrite) return asItIs(scene);
  if (current && !same && replace !== true && replace !== depotText(current)) throw unconfirmed(current, endpoint);
  const outcome = same ? 'written-again' : current ? 'replaced' : 'configured';
  const done: DepotDone = { outcome, before: current && !same ? depotText(current) : null };
  if (work.password === null) throw new Problem('remote_credential_gone', GONE);
  await keep(job, { putting: done });
  await job.services.checkpoint?.('remote-depot.put');
  if (trustsByItself(appliance.version)) {
    await job.say('depot', `Sends the root certificate along, which the appliance will trust: ${endpoint.ca_sha256}.`);
  }
  const began = performance.now();
  const found = await put(scene, appliance, { ...work, password: work.password }, right);
  if (found.status !== DEPOT_SUCCESS) throw unusableDepot(found, endpoint.url);
  await job.services.checkpoint?.('remote-depot.answered');
  const duration_ms = Math.round(performance.now() - began);
  const facts = { ok: true, duration_ms };
  await job.say('depot', `${ROLE_TITLES[appliance.role]} reaches ${depotText(endpoint)}.`, facts);
  return set(job, done);
}

async function set(job: JobRun, done: DepotDone): Promise<DepotDone> {
  await keep(job, { put: done });
  await job.services.checkpoint?.('remote-depot.set');
  return done;
}

/** Nothing to set; whether there is something to fetch shows the last synchronisation. */
async function asItIs(scene: Scene): Promise<DepotDone> {
  const { job, session, signal } = scene;
  const { status } = await patiently(scene, 'depot', () => readSync(session, signal));
  if (status !== SYNCED) {
    await job.say('depot', 'That is right already, and is not set again; its metadata is not complete.', { ok: true });
    return set(job, { outcome: 'synchronised', before: null });
  }
  await job.say('depot', `That is right already: nothing was changed on the appliance.`, { ok: true });
  return { outcome: 'no-op', before: null };
}

/**
 * Sets the depot and waits for the appliance's own test. `right`: the depot was right before, so its state proves
 * nothing.
 */
async function put(
  scene: Scene,
  { version }: Appliance,
  { endpoint, password }: DepotWork & { password: string },
  right: boolean,
): Promise<Pick<RemoteDepot, 'status' | 'message'>> {
  const { job, session, signal } = scene;
  const read = () => readDepot(session, signal, { secrets: [password] });
  try {
    const found = await putDepot(session, desiredDepot(version, endpoint, password, endpoint.ca_pem), signal);
    if (found.status !== null) return found;
    await job.say('depot', 'The appliance took it, and does not say yet whether it can use it.');
    return (await until(scene, PACE.settle_ms, async () => toldBy(await patiently(scene, 'depot', read)))) ?? found;
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason instanceof Cancelled) await job.say('depot', GIVEN_UP);
      throw error;
    }
    if (!isBreak(error) || right) throw refusedDepot(error, endpoint.url);
    await job.say('depot', `No answer came (${(error as Problem).code}); looks what the appliance saved.`);
    const saved = await until(scene, PACE.settle_ms, async () => {
      const now = await patiently(scene, 'depot', read);
      return sameDepot(now, endpoint) ? toldBy(now) : null;
    });
    if (saved === null) throw error;
    return saved;
  }
}

const toldBy = (depot: RemoteDepot | null): RemoteDepot | null => (depot?.status ? depot : null);

async function verify(scene: Scene, work: DepotWork): Promise<void> {
  const { job, session, signal } = scene;
  const now = await patiently(scene, 'sync', () => readDepot(session, signal, secretsOf(work)));
  if (!sameDepot(now, work.endpoint)) {
    const has = now ? depotText(now) : 'no depot';
    throw new Problem(
      'remote_refused',
      `The appliance has ${has} now, not ${depotText(work.endpoint)}: somebody else changed it meanwhile. Look at it, then configure it again.`,
    );
  }
  // One that doesn't tell has told before.
  if (now?.status && now.status !== DEPOT_SUCCESS) throw unusableDepot(now, work.endpoint.url);
  await job.say('sync', `Read again: it has ${depotText(work.endpoint)}.`, { ok: true });
}

/** Whether it is the depot that is wanted, and the appliance can use it. */
export const isRight = (current: RemoteDepot | null, wanted: DepotAddress): boolean =>
  sameDepot(current, wanted) && current?.status === DEPOT_SUCCESS;

const secretsOf = ({ password }: DepotWork) => ({ secrets: password === null ? [] : [password] });

/** `https://old.lab.test as reader (DEPOT_NOT_AVAILABLE)` */
export const stateText = (depot: RemoteDepot): string =>
  depot.status === null ? depotText(depot) : `${depotText(depot)} (${depot.status})`;

/** The refusal to replace a depot without confirmation; names the depot. */
export function unconfirmed(current: RemoteDepot, endpoint: DepotAddress): Problem {
  return new Problem(
    'depot_replacement_unconfirmed',
    `The appliance has ${depotText(current)}. Confirm that ${depotText(endpoint)} is to take its place. Nothing was changed.`,
    { preview: { current, wanted: depotText(endpoint) } },
  );
}

const GONE =
  'The password of the depot’s user was kept in memory only: the service was restarted meanwhile. Enter it again to continue.';
const STAYS = 'Not followed any longer. The depot stays set, and the appliance goes on by itself.';
const GIVEN_UP =
  'Given up while the appliance was setting it: whether it saved the depot is not known. Look at its depot settings.';
