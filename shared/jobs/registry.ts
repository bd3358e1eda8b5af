// The kinds of jobs that this program can run.
import { applyJob } from '../apply/apply-job.ts';
import type { JobKind } from './runner.ts';

export const JOB_KINDS: readonly JobKind[] = [applyJob];
