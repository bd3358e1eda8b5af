// Edits of several interfaces against the store, with what depends on them: all of it in the caller's transaction, or
// nothing. One SELECT and one write, whatever the number of interfaces.
import { type Clock, type Entropy, instant } from '../../ground/clock.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type EditedTogether, editTogether, type NamedEdit } from '../../platform/interfaces/edit-together.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changesBetween, type InterfaceImpact, MOVES_MOST } from '../../platform/interfaces/interface-resource.ts';
import { changeBetween } from '../../platform/interfaces/refresh/change.ts';
import { loadSnapshot } from '../../platform/interfaces/refresh/load-snapshot.ts';
import { refresh } from '../../platform/interfaces/refresh/refresh.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { type Followed, refreshDependents } from './dependents.ts';
import { saveInterfaces } from './interface-store.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export interface EditedInterface {
  name: string;
  kind: NetworkInterface['kind'];
  changed: InterfaceImpact['changed'];
}

export interface SavedTogether extends Omit<InterfaceImpact, 'changed'> {
  /** Those that differ from what was saved; empty: nothing was written. */
  interfaces: EditedInterface[];
}

/**
 * Saves the edits. `refusals` stand in the way beside those that the rules find.
 * @throws Problem 409 `state_conflict` naming everything in the way, `no_management_listener`, `dependents_refuse`.
 */
export async function saveTogether(
  transaction: Transaction,
  shell: Shell,
  edits: readonly NamedEdit[],
  refusals: readonly Blocker[],
): Promise<SavedTogether> {
  const all = await loadInterfaces(transaction);
  const edited = editTogether(all, edits);
  const refused = refusalOf(edited, refusals);
  if (refused) throw refused;
  const interfaces = changedIn(edited);
  if (interfaces.length === 0) return { interfaces, ...followed(NOTHING) };
  const updated_at = instant(shell.clock.now());
  const changed = new Set(interfaces.map(({ name }) => name));
  const rows = edited.after
    .filter(({ name }) => changed.has(name))
    .map((row) => ({ ...row, revision: row.revision + 1, updated_at }));
  await saveInterfaces(transaction, rows);
  return { interfaces, ...followed(await refreshDependents(transaction, shell, all, edited.after)) };
}

export interface ForeseenTogether extends SavedTogether {
  /** Why it would be refused; null when it would not. */
  refused: Pick<Problem, 'message' | 'members'> | null;
}

/** What saveTogether would do, for the page that asks before. Reads only: one to five statements. */
export async function foreseeTogether(
  db: Database,
  edits: readonly NamedEdit[],
  refusals: readonly Blocker[],
): Promise<ForeseenTogether> {
  const all = await loadInterfaces(db);
  const edited = editTogether(all, edits);
  const interfaces = changedIn(edited);
  const refused = refusalOf(edited, refusals);
  const change = refused ? null : changeBetween(all, edited.after);
  if (change === null) return { interfaces, ...followed(NOTHING), refused };
  const { blockers, ...moved } = refresh(
    await loadSnapshot(db, change, SERVICE_DEPENDENTS),
    change,
    SERVICE_DEPENDENTS,
  );
  return { interfaces, ...followed(moved), refused: blockers.length > 0 ? conflict(blockers) : null };
}

const NOTHING: Followed = { units: [], moves: [], deselected: [], notes: [] };

const changedIn = ({ edits }: EditedTogether): EditedInterface[] =>
  edits.flatMap(({ current, next }) => {
    const changed = changesBetween(current, next);
    return changed.length > 0 ? [{ name: current.name, kind: current.kind, changed }] : [];
  });

function refusalOf({ blockers, lost }: EditedTogether, refusals: readonly Blocker[]): Problem | null {
  const all = [...refusals, ...blockers];
  return all.length > 0 ? conflict(all) : lost;
}

function conflict(blockers: Blocker[]): Problem {
  const [first] = blockers;
  const more = blockers.length > 1 ? ` ${blockers.length - 1} more stand in the way too.` : '';
  const detail = `${first!.subject} stands in the way. ${first!.reason}${more} Nothing was saved.`;
  return new Problem('state_conflict', detail, { blockers });
}

const followed = ({ units, moves, deselected, notes }: Followed): Omit<SavedTogether, 'interfaces'> => ({
  refreshed_units: units,
  moves: moves.slice(0, MOVES_MOST),
  moves_total: moves.length,
  deselected,
  notes,
});
