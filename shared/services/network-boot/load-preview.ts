// Reads a Kickstart for its redacted preview.

import { Problem } from '../../ground/problems.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Database } from '../../ground/store/database.ts';
import { findItem } from '../../platform/units/collection-store.ts';
import { hosts } from './hosts.ts';
import { type PreviewLine, previewKickstart } from './kickstart-preview.ts';
import { hostValues, type TextFault, textFaults } from './kickstart-text.ts';
import { type Kickstart, kickstarts } from './kickstarts.ts';
import { CANNOT_BE_OPENED, openedOrNull, openKickstart } from './sealed-state.ts';

export interface Preview {
  kickstart_id: string;
  text_revision: string;
  lines: PreviewLine[];
  /** Warnings, with which a text can be saved. */
  warnings: TextFault[];
}

/** @throws Problem 404; 409 for a text that can't be opened. */
export async function loadSavedText(
  db: Database,
  keys: Keys,
  kickstart_id: string,
): Promise<{ kickstart: Kickstart; text: string }> {
  const kickstart = await findItem(db, kickstarts, kickstart_id);
  const { text_revision, text_sealed } = kickstart;
  const text = openedOrNull(() => openKickstart(keys, kickstart_id, text_revision, text_sealed));
  if (text === null) {
    throw new Problem('state_conflict', `The saved text ${CANNOT_BE_OPENED} Write it anew, or restore the keys file.`);
  }
  return { kickstart, text };
}

/**
 * `host_id`: its fields are filled in, its variables never are.
 * @throws Problem 404; 409 for a text that can't be opened.
 */
export async function loadPreview(db: Database, keys: Keys, kickstart_id: string, host_id?: string): Promise<Preview> {
  const [{ kickstart, text }, host] = await Promise.all([
    loadSavedText(db, keys, kickstart_id),
    host_id === undefined ? null : findItem(db, hosts, host_id),
  ]);
  const lines = previewKickstart(text, host && hostValues(host, {}));
  const warnings = textFaults(text).filter(({ severity }) => severity === 'warning');
  return { kickstart_id, text_revision: kickstart.text_revision, lines, warnings };
}
