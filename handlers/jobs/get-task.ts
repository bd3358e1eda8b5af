// One task of a job, with its log.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { findTask } from '../../shared/kernel/jobs/job.ts';
import { taskSchema } from '../../shared/kernel/jobs/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getTask',
  method: 'GET',
  path: '/api/v1/tasks/{task_id}',
  access: { scope: 'read:jobs' },
  tag: 'Jobs',
  summary: 'Get a task',
  description: 'One step of a job: its own state, progress and log lines.',
  params: idParam('task_id', 'Id of the task.'),
  answers: { 200: { description: 'The task as it is now.', schema: taskSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    return { body: await findTask(db, params.task_id) };
  },
});
