// A push: what the target has is read, and what differs is sent. One that was killed begins anew and finds by the difference what
// is left.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { Cancelled, type JobRun, Left } from '../../kernel/jobs/run.ts';
import { forgetRemoved, noteObjects, type ObjectKind, sentObjects } from '../../services/oidc/scim/objects.ts';
import { groupSteps, type Known, userSteps } from './difference.ts';
import { ScimRefusal } from './faults.ts';
import { peopleOf } from './people.ts';
import { pushGroup, type UserIds } from './push-groups.ts';
import { openPush, type PushShell } from './push-shell.ts';
import { pushUser } from './push-users.ts';
import { type RemoteGroup, type RemoteUser, remoteGroupSchema, remoteUserSchema } from './resources.ts';
import { GROUPS, READ, USERS } from './tasks.ts';
import { pushDigest, type Wanted, wantedOf } from './wanted.ts';

/** Users and groups that are pushed to one target, at most. */
export const PUSHED_MOST = { users: 10_000, groups: 1000 };
/** Faults of the target's own in a row after which it is taken to be broken. */
const BROKEN_MOST = 5;

export interface Kept {
  /** Digest of what was wanted, once it was pushed. */
  pushed_sha256?: string;
  refused?: number;
  /** Why it failed. */
  reason?: string;
}

export async function runPush(job: JobRun): Promise<unknown> {
  try {
    return await pushed(job);
  } catch (error) {
    if (!(error instanceof Cancelled) && !(error instanceof Left) && !job.fenced)
      await job.keep({ reason: error instanceof Problem ? error.message : 'It failed; see the log of the service.' });
    throw error;
  }
}

async function pushed(job: JobRun): Promise<unknown> {
  const shell = await openPush(job);
  try {
    await job.startTask(READ);
    const read = await readAll(shell);
    await job.say(READ, saidOf(read), { kind: 'probe', ok: true });
    await job.endTask(READ, 'succeeded');
    const ids = await pushUsers(shell, read);
    await pushGroups(shell, read, ids);
    const { refused } = shell.book.counts;
    await job.keep({ refused, pushed_sha256: pushDigest(shell.target, read.wanted) });
    return { target: shell.target.base_url, ...shell.book.counts };
  } finally {
    shell.close();
  }
}

interface Read {
  wanted: Wanted;
  known: Record<ObjectKind, Known>;
  users: RemoteUser[];
  groups: RemoteGroup[];
}

const saidOf = ({ wanted, users, groups }: Read): string =>
  `Wanted: ${wanted.users.length} users, ${wanted.groups.length} groups. The target has ${users.length} and ${groups.length}.`;

async function readAll({ job, client, target, scim }: PushShell): Promise<Read> {
  const { store, clock } = job.services;
  const wanted = wantedOf(client, target, await peopleOf(job.services, client));
  refuseTooMany(wanted);
  const rows = (await sentObjects(store, target.id)).filter(({ outcome }) => outcome !== 'removed');
  if (wanted.users.length === 0 && rows.some(({ kind, outcome }) => kind === 'user' && outcome !== 'deactivated'))
    throw new Problem(
      'state_conflict',
      'No user is left to be pushed: all users at the target would be deactivated or removed. Nothing was pushed. If you want that, do it at the target.',
    );
  const byKind = (asked: ObjectKind) =>
    new Map(rows.flatMap((row) => (row.kind === asked ? [[row.external_id, row]] : [])));
  const known = { user: byKind('user'), group: byKind('group') };
  const at = instant(clock.now());
  const pending = { outcome: 'pending', sent_sha256: '', reason: '', at } as const;
  const fresh = [
    ...wanted.users.map(({ external_id, username: name }) => ({
      kind: 'user' as const,
      external_id,
      name,
      ...pending,
    })),
    ...wanted.groups.map(({ external_id, name }) => ({ kind: 'group' as const, external_id, name, ...pending })),
  ].filter(({ kind, external_id }) => !known[kind].has(external_id));
  // Before anything is sent: what was made and could not be written down is known as ours all the same.
  await store.write(async (tx) => {
    await forgetRemoved(tx, target.id);
    await noteObjects(tx, target.id, fresh);
  });
  const users = await scim.all('Users', remoteUserSchema);
  return { wanted, known, users, groups: await scim.all('Groups', remoteGroupSchema) };
}

function refuseTooMany({ users, groups }: Wanted): void {
  if (users.length <= PUSHED_MOST.users && groups.length <= PUSHED_MOST.groups) return;
  throw new Problem(
    'state_conflict',
    `At most ${PUSHED_MOST.users} users and ${PUSHED_MOST.groups} groups are pushed to a target; these are ${users.length} and ${groups.length}. Name fewer groups.`,
  );
}

async function pushUsers(shell: PushShell, { wanted, known, users }: Read): Promise<UserIds> {
  const there = new Map<string, string>();
  const external = new Set([...wanted.users.map(({ external_id }) => external_id), ...known.user.keys()]);
  const ours = new Set(users.flatMap(({ id, externalId }) => (external.has(externalId ?? '') ? [id] : [])));
  const steps = userSteps(wanted, users, known.user, shell.target.departed);
  // Whoever is there and can't be changed stays in the groups.
  for (const step of steps) if (step.does === 'keep' || step.does === 'update') there.set(step.external_id, step.id);
  await each(shell, USERS, 'user', steps, async (step) => {
    const id = await pushUser({ ...shell, listed: users }, step);
    if (id === null) return;
    there.set(step.external_id, id);
    ours.add(id);
  });
  return { there, ours };
}

async function pushGroups(shell: PushShell, { wanted, known, groups }: Read, ids: UserIds): Promise<void> {
  const steps = groupSteps(wanted, groups, known.group);
  await each(shell, GROUPS, 'group', steps, (step) => pushGroup(shell, step, ids));
}

/** Does each step of a task; one that is refused is written down, and the others go on. */
async function each<S extends { external_id: string; name: string }>(
  { job, book }: PushShell,
  task: string,
  kind: ObjectKind,
  steps: readonly S[],
  does: (step: S) => Promise<void>,
): Promise<void> {
  await job.startTask(task);
  let broken = 0;
  try {
    for (const [at, step] of steps.entries()) {
      try {
        await does(step);
        broken = 0;
      } catch (error) {
        if (!(error instanceof ScimRefusal)) throw error;
        await book.note(kind, step, 'refused', { reason: error.message });
        await job.say(task, `${step.name}: ${error.message}`, { kind: 'write', ok: false });
        broken = error.status >= 500 ? broken + 1 : 0;
        if (broken === BROKEN_MOST)
          throw new Problem('remote_not_ready', `The target fails again and again. ${error.message}`);
      }
      await job.progress(task, { percent: Math.floor((100 * (at + 1)) / steps.length) });
    }
  } finally {
    if (!job.fenced) await book.flush();
  }
  const { counts } = book;
  const words = Object.entries(counts).flatMap(([outcome, count]) => (count > 0 ? [`${outcome} ${count}`] : []));
  await job.say(task, `So far: ${words.join(', ') || 'nothing to do'}.`, { kind: 'write', ok: counts.refused === 0 });
  await job.endTask(task, 'succeeded');
}
