// For the page of a host: what it could install, how the saved host differs from the applied one, and the state of its
// last boot attempt.
import type { Host } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';
import type { AttemptState } from './boot/attempt.ts';
import { type Difference, differences, readDesiredHost } from './boot/drift.ts';
import { appliedNow } from './boot/retrieve.ts';
import { appliedHost } from './manifest.ts';

/** A Kickstart or medium to choose from. */
export interface Installable {
  id: string;
  name: string;
  /** Why the item can't be chosen; null when it can. */
  obstacle: string | null;
  /** A Kickstart with vault values, which only people who may read vaults can choose. */
  takes_values: boolean;
}

export interface HostBoot {
  kickstarts: Installable[];
  media: Installable[];
  /** Differences from the applied host; null: the host is not applied. */
  applied: Difference[] | null;
  last: AttemptState | null;
}

const CHOICES = `SELECT 'kickstart' AS kind, id, name, iif(enabled, NULL, 'not in use') AS obstacle,
    vault_values <> '[]' AS takes
    FROM network_boot_kickstart
  UNION ALL SELECT 'medium', id, name, CASE WHEN state <> 'ready' THEN 'not ready' WHEN enabled = 0 THEN 'not in use' END, 0
    FROM network_boot_medium ORDER BY 1, 3 LIMIT 2000`;

/** Three statements for a saved host, one for a new one. */
export async function loadHostBoot(
  db: Database,
  host: Pick<Host, 'read'>,
  saved: { id: string; mac_address: string } | null,
): Promise<HostBoot> {
  const choices = db.all<Omit<Installable, 'takes_values'> & { kind: string; takes: number }>(CHOICES);
  const of = async (kind: string) =>
    (await choices)
      .filter((each) => each.kind === kind)
      .map(({ id, name, obstacle, takes }): Installable => ({ id, name, obstacle, takes_values: takes === 1 }));
  const [kickstarts, media] = [await of('kickstart'), await of('medium')];
  if (!saved) return { kickstarts, media, applied: null, last: null };
  const [desired, applied, last] = await Promise.all([
    readDesiredHost(db, saved.id),
    appliedNow({ host }),
    db.one<{ state: AttemptState }>(
      'SELECT state FROM boot_attempt WHERE mac_address = ? ORDER BY created_at DESC, id DESC LIMIT 1',
      [saved.mac_address],
    ),
  ]);
  const found = applied && appliedHost(applied, { id: saved.id });
  return {
    kickstarts,
    media,
    applied: desired && found ? differences(desired, found) : null,
    last: last?.state ?? null,
  };
}
