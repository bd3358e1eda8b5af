// Where the numbers over time are kept: beside the database, and in no archive.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../kernel/operation/services.ts';

export const HISTORY_FILE = 'metrics.ring';

/** With a reset the numbers of before go too. */
export const forgetHistory = ({ settings }: Pick<Services, 'settings'>): Promise<void> =>
  rm(join(settings.data, HISTORY_FILE), { force: true });
