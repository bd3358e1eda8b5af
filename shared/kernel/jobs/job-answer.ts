// A job as the API answers it.
import { originOf } from '../operation/problem-document.ts';
import type { Services } from '../operation/services.ts';
import type { Job } from './job.ts';

/**
 * The job whose error names its kind by a whole URL. A job fails where nobody asks: unless the appliance was told its own
 * address, the origin is known only once somebody reads it.
 */
export function jobAnswer(job: Job, services: Services, request: Parameters<typeof originOf>[1]): Job {
  const type = job.error?.type;
  if (type === undefined || !type.startsWith('/')) return job;
  return { ...job, error: { ...job.error, type: `${originOf(services, request)}${type}` } };
}
