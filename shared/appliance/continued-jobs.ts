// Jobs that failed for want of something typed, and go on once it was typed again: each kind says what it asks for.

import { type FieldError, invalid, Problem } from '../ground/problems.ts';
import type { Database, Transaction } from '../ground/store/database.ts';
import type { Actor } from '../kernel/access/actor.ts';
import { missingScope } from '../kernel/access/missing-scope.ts';
import { findJob, type Job, jobNotes, requeueJob } from '../kernel/jobs/job.ts';
import type { Continuation, JobKind } from '../kernel/jobs/kind.ts';
import { JOB_KINDS } from './job-kinds.ts';

export type { Continuation, ContinuationField } from '../kernel/jobs/kind.ts';

/** Causes after which any kind that continues does; a kind may have more. */
const CONTINUED_AFTER: readonly unknown[] = ['remote_credential_gone', 'remote_login_refused'];

/** Characters of one answer whose field does not say it. */
const ANSWER_MOST = 1024;

type Members = Record<string, unknown>;

/** What the job asks for; null for one that can't be continued. One statement, and none for a job that has not failed. */
export async function continuationOf(
  database: Database,
  job: Job,
  kinds: readonly JobKind[] = JOB_KINDS,
): Promise<Continuation | null> {
  return (await askedBy(database, job, kinds))?.asks ?? null;
}

async function askedBy(database: Database, job: Job, kinds: readonly JobKind[]) {
  const kind = kinds.find(({ kind }) => kind === job.kind);
  if (job.state !== 'failed' || !kind?.continues) return null;
  const cause = job.error?.error_code;
  if (!CONTINUED_AFTER.includes(cause) && !kind.continuesAfter?.some((code) => code === cause)) return null;
  const { input, kept } = await jobNotes<Members, Members>(database, job.id);
  const asks = kind.continues({ ...job, input, kept });
  return asks && { kind, asks, input };
}

export interface ContinuedJob {
  job: Job;
  /** What was typed, for jobSecrets. */
  typed: Record<string, string>;
}

/**
 * Queues the job again. It begins with its first task, or after those that succeeded where its kind says so.
 * `typed`: exactly the fields that the job asks for.
 * @throws Problem 403, 404, 409, 422
 */
export async function continueJob(
  tx: Transaction,
  actor: Actor,
  job_id: string,
  typed: Readonly<Record<string, string>>,
  kinds: readonly JobKind[] = JOB_KINDS,
): Promise<ContinuedJob> {
  const job = await findJob(tx, job_id);
  const asked = await askedBy(tx, job, kinds);
  if (asked === null) throw new Problem('state_conflict', 'This job does not wait for anything to be typed.');
  const { kind, asks, input } = asked;
  if (!actor.scopes.has(asks.scope)) throw missingScope(actor, asks.scope);
  const answers = answersOf(asks, typed);
  await requeueJob(tx, job_id, kind.continuedInput?.(input) ?? input, kind.keepsSucceeded ?? false);
  return { job, typed: answers };
}

/** @throws Problem 422 when something is missing, too long, or was not asked for */
function answersOf({ fields }: Continuation, typed: Readonly<Record<string, string>>): Record<string, string> {
  const errors: FieldError[] = [];
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(typed)) {
    if (!known.has(name)) errors.push({ pointer: pointerOf(name), detail: 'This job does not ask for it.' });
  }
  const answers = fields.map(({ name, label, kind, most = ANSWER_MOST }) => {
    const text = Object.hasOwn(typed, name) ? typed[name]! : '';
    const answer = kind === 'password' ? text : text.trim();
    if (answer === '') errors.push({ pointer: pointerOf(name), detail: `Enter: ${label}.` });
    if (answer.length > most) {
      errors.push({ pointer: pointerOf(name), detail: `At most ${most} characters.` });
    }
    return [name, answer] as const;
  });
  if (errors.length > 0) throw invalid(...errors);
  return Object.fromEntries(answers);
}

const pointerOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
