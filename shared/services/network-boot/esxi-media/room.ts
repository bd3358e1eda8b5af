// Room for media, which share the disk of the database.
import type { Host } from '../../../ground/machine/host.ts';
import * as room from '../../../platform/uploads/room.ts';
import { mediaFolder } from './media-folder.ts';

/** The folder of media must exist. @throws Problem 507 when `needed` more bytes do not fit. */
export const refuseFull = (host: Pick<Host, 'resolve'>, needed: number): Promise<void> =>
  room.refuseFull(mediaFolder(host), needed, 'There is no room on the appliance for the files of this medium.');
