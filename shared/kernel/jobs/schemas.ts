// Schemas of jobs and tasks.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../ground/schemas/component.ts';
import { JOB_STATES, TASK_STATES } from './job.ts';
import { JOB_KIND_NAMES } from './kind.ts';

const progress = v.pipe(integerSchema, v.description('0 to 100.'));

const count = (said: string) => v.optional(v.pipe(v.number(), v.description(said)));

const progressSchema = v.object({
  done_bytes: count('Bytes that were moved so far.'),
  total_bytes: count('Bytes that there are to move.'),
  done_rows: count('Rows that were worked on so far.'),
  total_rows: count('Rows that there are; missing as long as nobody knows.'),
  bytes_per_second: count('How fast it went lately.'),
  seconds_left: v.optional(v.nullable(v.pipe(v.number(), v.description('Estimate; null while there is none.')))),
});

export const taskSchema = component(
  'Task',
  v.object({
    id: idSchema,
    job_id: text('Id of the job that it is a step of.'),
    name: text('Name of the step, for programs; unique in its job.'),
    title: text('What the step does, for people.'),
    state: described(
      v.picklist(TASK_STATES),
      'How far the step is. `succeeded`, `failed`, `skipped` and `cancelled` are final.',
    ),
    progress_percent: progress,
    progress: v.pipe(
      v.nullable(progressSchema),
      v.description('Figures of a step that counts what it moves or works on; null for any other.'),
    ),
    started_at: v.nullable(instantSchema),
    finished_at: v.nullable(instantSchema),
    log: described(
      v.array(
        v.object({
          at: instantSchema,
          text: text('What was done, for people.'),
          duration_ms: v.optional(described(v.number(), 'Milliseconds that it took.')),
          kind: v.optional(
            described(
              v.picklist(['write', 'act', 'probe', 'wait']),
              'Whether something was written, done, asked, or waited for.',
            ),
          ),
          ok: v.optional(described(v.boolean(), 'Whether it went well.')),
          warning: v.optional(described(v.boolean(), 'True: it was done, and something is left to look at.')),
        }),
      ),
      'What the step did, in order.',
    ),
  }),
);

export const jobSchema = component(
  'Job',
  v.object({
    id: idSchema,
    kind: described(v.picklist(JOB_KIND_NAMES), 'What the job does.'),
    subject: v.pipe(v.nullable(v.string()), v.description('Id of what the job is about, for example a plan.')),
    state: described(
      v.picklist(JOB_STATES),
      'How far the job is. `succeeded`, `failed` and `cancelled` are final; `waiting`: for a confirmation.',
    ),
    progress_percent: progress,
    created_by: createdBy,
    created_at: instantSchema,
    started_at: v.nullable(instantSchema),
    finished_at: v.nullable(instantSchema),
    result: described(
      v.unknown(),
      'What came of it, in the form of its kind; null before. A member `warnings` that is not empty names what was asked for and is not done, or not in force, although the job succeeded.',
    ),
    error: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('A problem document.')),
    tasks: described(v.array(taskSchema), 'Its steps, in order.'),
  }),
);
export const jobListSchema = listOf('JobList', jobSchema);
