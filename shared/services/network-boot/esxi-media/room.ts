// Room for media: they lie where the database does.
import type { Host } from '../../../ground/machine/host.ts';
import * as room from '../../../platform/uploads/room.ts';
import { mediaFolder } from './media-folder.ts';

/** Expects the folder of media. @throws Problem 507 when `needed` bytes more do not fit. */
export const refuseFull = (host: Pick<Host, 'resolve'>, needed: number): Promise<void> =>
  room.refuseFull(mediaFolder(host), needed, 'There is no room on the appliance for the files of this medium.');
