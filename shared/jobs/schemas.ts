// What the API says about jobs and tasks.
import * as v from 'valibot';
import { component, instantSchema, integerSchema, listOf } from '../operation/component.ts';
import { JOB_STATES, TASK_STATES } from './job.ts';
import { JOB_KIND_NAMES } from './kind.ts';

const progress = v.pipe(integerSchema, v.description('0 to 100.'));

const bytes = (said: string) => v.optional(v.pipe(v.number(), v.description(said)));

const progressSchema = v.object({
  done_bytes: bytes('Bytes that were moved so far.'),
  total_bytes: bytes('Bytes that there are to move.'),
  bytes_per_second: bytes('How fast it went lately.'),
  seconds_left: v.optional(v.nullable(v.pipe(v.number(), v.description('Estimate; null while there is none.')))),
});

export const taskSchema = component(
  'Task',
  v.object({
    id: v.string(),
    job_id: v.string(),
    name: v.string(),
    title: v.string(),
    state: v.picklist(TASK_STATES),
    progress_percent: progress,
    progress: v.pipe(
      v.nullable(progressSchema),
      v.description('Figures of a step that counts what it moves; null for any other.'),
    ),
    started_at: v.nullable(instantSchema),
    finished_at: v.nullable(instantSchema),
    log: v.array(
      v.object({
        at: instantSchema,
        text: v.string(),
        duration_ms: v.optional(v.number()),
        kind: v.optional(v.picklist(['write', 'act', 'probe', 'wait'])),
        ok: v.optional(v.boolean()),
      }),
    ),
  }),
);

export const jobSchema = component(
  'Job',
  v.object({
    id: v.string(),
    kind: v.picklist(JOB_KIND_NAMES),
    subject: v.pipe(v.nullable(v.string()), v.description('Id of what the job is about, for example a plan.')),
    state: v.picklist(JOB_STATES),
    progress_percent: progress,
    created_by: v.string(),
    created_at: instantSchema,
    started_at: v.nullable(instantSchema),
    finished_at: v.nullable(instantSchema),
    result: v.unknown(),
    error: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('A problem document.')),
    tasks: v.array(taskSchema),
  }),
);
export const jobListSchema = listOf('JobList', jobSchema);
