// Reads a Kickstart for its redacted preview.
import type { Keys } from '../../access/keys.ts';
import { type PreviewLine, previewKickstart } from '../../network-boot/kickstart-preview.ts';
import { hostValues } from '../../network-boot/kickstart-text.ts';
import { openKickstart } from '../../network-boot/sealed-state.ts';
import type { Database } from '../../store/database.ts';
import { findItem } from '../collection-store.ts';
import { esxiHosts } from './hosts.ts';
import { kickstarts } from './kickstarts.ts';

export interface Preview {
  kickstart_id: string;
  text_revision: string;
  lines: PreviewLine[];
}

/** With a host, its own fields are filled in; its variables never are. @throws Problem 404 */
export async function loadPreview(db: Database, keys: Keys, kickstart_id: string, host_id?: string): Promise<Preview> {
  const [kickstart, host] = await Promise.all([
    findItem(db, kickstarts, kickstart_id),
    host_id === undefined ? null : findItem(db, esxiHosts, host_id),
  ]);
  const { text_revision, text_sealed } = kickstart;
  const text = openKickstart(keys, kickstart_id, text_revision, text_sealed);
  return { kickstart_id, text_revision, lines: previewKickstart(text, host && hostValues(host, {})) };
}
