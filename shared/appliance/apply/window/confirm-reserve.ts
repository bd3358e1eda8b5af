// Disk space that is reserved while a confirm window is open, so that a plan can be confirmed on a full disk. The audit row, the
// record of what is in force and its baseline are written with it. The space for the window's own record, and for going back,
// is reserved where those are kept.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../../ground/machine/durable-file.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { isFull } from './record-file.ts';

const RESERVE_BYTES = 1 << 20;

type Where = Pick<Services, 'settings'>;

const reserveFile = ({ settings }: Where): string => join(settings.data, 'apply', 'confirm.reserve');

/** @throws Problem 507 `storage_full`, before anything is changed: a plan that could not be confirmed must not begin */
export async function reserveForConfirming(where: Where): Promise<void> {
  await replaceFile(reserveFile(where), '\0'.repeat(RESERVE_BYTES), 0o600).catch((error: Error) => {
    if (!isFull(error)) throw error;
    throw new Problem(
      'storage_full',
      'The disk is too full to reserve the space that a confirmation needs. Nothing was changed: make space, then apply again.',
      { retry_after: 30 },
    );
  });
}

export async function freeForConfirming(where: Where): Promise<void> {
  await rm(reserveFile(where), { force: true });
}
