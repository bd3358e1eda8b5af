// The kinds of jobs that this program can run.
import { applyJob } from '../apply/apply-job.ts';
import { unpackJob } from '../network-boot/esxi-media/unpack-job.ts';
import { uploadJob } from '../offline-depot/upload-job.ts';
import { trustJob } from '../remote/trust-job.ts';
import { rotateJob } from '../vault/rotate-job.ts';
import { deployJob } from '../vcf-helper/deployment/job.ts';
import { depotJob } from '../vcf-helper/remote-depot/job.ts';
import type { JobKind } from './kind.ts';

export const JOB_KINDS: readonly JobKind[] = [applyJob, unpackJob, rotateJob, trustJob, uploadJob, depotJob, deployJob];
