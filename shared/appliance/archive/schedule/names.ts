// Names of copies at a target. Only names that are made here are ever touched there.
import type { Services } from '../../../kernel/operation/services.ts';
import { archiveName } from '../make.ts';

const PART = /^groundcrew-[A-Za-z0-9-]{1,64}-\d{8}T\d{6}Z\.gcarchive\.age\.(job_[a-z0-9]{16})\.part$/;
const COPY = /^groundcrew-[A-Za-z0-9-]{1,64}-\d{8}T\d{6}Z\.gcarchive\.age$/;

export const copyName = (services: Pick<Services, 'settings' | 'clock'>): string => archiveName(services, true);

/** The temporary name says whose it is: a later run knows which jobs are over. */
export const partName = (name: string, job_id: string): string => `${name}.${job_id}.part`;

/** The job that a temporary file is of; null: it is none of ours. */
export const jobOfPart = (name: string): string | null => PART.exec(name)?.[1] ?? null;

export const isCopyName = (name: string): boolean => COPY.test(name);
