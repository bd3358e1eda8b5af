// For the page of waiting boots: open attempts with their obstacles, and the last ended ones.
import type { Database } from '../../../ground/store/database.ts';
import { type AppliedHost, appliedHost } from '../manifest.ts';
import { isOpen, LIFETIME } from './attempt.ts';
import { recentAttempts } from './attempt-store.ts';
import { WRONG_CODES_MOST } from './boot-code.ts';
import { type BootShell, now } from './context.ts';
import { DESIRED_HOST, type DesiredHost, type Difference, differences } from './drift.ts';
import { appliedNow } from './retrieve.ts';
import { type AttemptView, attemptView } from './schemas.ts';

const ENDED_SHOWN = 25;

export interface WaitingAttempt extends AttemptView {
  /** Seconds that it had. */
  lifetime: number;
  codes_left: number;
  /** Names of the applied Kickstart and medium. */
  kickstart: string;
  medium: string;
  /** Differences of the saved host; with any, the attempt can't be authorized. */
  drift: Difference[];
}

export interface EndedAttempt extends AttemptView {
  /** Address of the attempt that superseded it, when that is another address. */
  superseded_from: string | null;
}

export interface Waiting {
  open: WaitingAttempt[];
  ended: EndedAttempt[];
}

/** Two statements. */
export async function loadWaiting(db: Database, shell: BootShell): Promise<Waiting> {
  const moment = now(shell);
  const [attempts, applied] = await Promise.all([recentAttempts(db, ENDED_SHOWN), appliedNow(shell)]);
  const views = attempts.map((attempt) => attemptView(attempt, moment));
  const open = views.filter(({ state }) => isOpen(state));
  const desired = await desiredHosts(
    db,
    open.map(({ host_id }) => host_id),
  );
  return {
    open: open.map((view) => {
      const found = applied && appliedHost(applied, { id: view.host_id });
      const saved = desired.get(view.host_id);
      return {
        ...view,
        lifetime: shell.boot_lifetime ?? LIFETIME,
        codes_left: WRONG_CODES_MOST - view.wrong_codes,
        kickstart: found?.kickstart?.name ?? '',
        medium: found?.medium?.name ?? '',
        drift: view.state === 'pending' && found ? (saved ? differences(saved, found) : [deleted(found)]) : [],
      };
    }),
    ended: views
      .filter(({ state }) => !isOpen(state))
      .map((view) => ({ ...view, superseded_from: supersededFrom(view, views) })),
  };
}

/** The superseding attempt began when this one ended, and is open or ended later, so it is among those shown. */
function supersededFrom(ended: AttemptView, views: readonly AttemptView[]): string | null {
  if (ended.ended_reason !== 'superseded') return null;
  const later = views.find(({ host_id, created_at }) => host_id === ended.host_id && created_at === ended.ended_at);
  return later && later.source_address !== ended.source_address ? later.source_address : null;
}

const deleted = ({ host }: AppliedHost): Difference => ({
  member: 'hostname',
  label: 'Host',
  saved: 'deleted',
  applied: host.hostname,
});

async function desiredHosts(db: Database, ids: readonly string[]): Promise<Map<string, DesiredHost>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<DesiredHost>(`${DESIRED_HOST} WHERE h.id IN (SELECT value FROM json_each(?))`, [
    JSON.stringify(ids),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}
