// Where the numbers over time are kept: beside the database, and in no archive.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../../kernel/operation/services.ts';

export const HISTORY_FILE = 'metrics.ring';
/** The same of volumes and datastores: a file each. */
export const GROWTH_FOLDER = 'storage-growth';

/** With a reset the numbers of before go too. */
export async function forgetHistory({ settings }: Pick<Services, 'settings'>): Promise<void> {
  for (const name of [HISTORY_FILE, GROWTH_FOLDER])
    await rm(join(settings.data, name), { force: true, recursive: true });
}
