// The kind of job, and the names of its steps.

export const SCHEDULE_KIND = 'archive-schedule';

export const MAKE_TASK = 'make';

export const copyTask = (target_id: string): string => `copy-${target_id}`;

/** The target of a step; null for another step. */
export const targetOf = (task: string): string | null => /^copy-(.+)$/.exec(task)?.[1] ?? null;
