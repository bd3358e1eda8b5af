// An edit of saved interfaces, of one or of many, with all that depends on them. It is foreseen without a write, for
// whoever asks first, and saving writes exactly what was foreseen: both look at the same answer.
import { type Clock, type Entropy, instant } from '../../ground/clock.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changesBetween, type InterfaceImpact, MOVES_MOST } from '../../platform/interfaces/interface-resource.ts';
import { deleteInterfaces, saveInterfaces, updateInterface } from '../../platform/interfaces/interface-store.ts';
import { changeBetween } from '../../platform/interfaces/refresh/change.ts';
import { refresh } from '../../platform/interfaces/refresh/refresh.ts';
import type { Refresh } from '../../platform/interfaces/refresh/snapshot.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { loadSnapshot } from '../refresh/load-snapshot.ts';
import { saveRefresh } from '../refresh/save-refresh.ts';

/** All interfaces as they are saved, and as they will be. */
export interface InterfaceEdit {
  before: readonly NetworkInterface[];
  after: readonly NetworkInterface[];
  /** Why the rules of interfaces refuse it; then nothing else is looked at. */
  refused?: Problem | null;
}

export interface EditedInterface {
  name: string;
  kind: NetworkInterface['kind'];
  changed: InterfaceImpact['changed'];
}

/** What an edit does. */
export interface Effect extends Omit<InterfaceImpact, 'changed'> {
  /** Those that were there before and differ; empty: no interface is edited. */
  interfaces: EditedInterface[];
}

export interface Foreseen {
  effect: Effect;
  /** Why it would be refused; null when it would not. */
  refused: Problem | null;
  /** Rows of dependents to write; null when none follow. */
  writes: Refresh['writes'] | null;
}

/** Blockers that one answer lists; beyond them it says how many more there are. */
export const BLOCKERS_MOST = 1000;

const NOTHING = { units: [], moves: [], deselected: [], notes: [] };

/** Reads only: one to four statements, none when the rules of interfaces alone refuse it or nobody is concerned. */
export async function foresee(db: Database, { before, after, refused }: InterfaceEdit): Promise<Foreseen> {
  const interfaces = editedBetween(before, after);
  const change = refused ? null : changeBetween(before, after);
  if (change === null) return { effect: effectOf(interfaces, NOTHING), refused: refused ?? null, writes: null };
  const snapshot = await loadSnapshot(db, change, SERVICE_DEPENDENTS);
  const { writes, blockers, ...followed } = refresh(snapshot, change, SERVICE_DEPENDENTS);
  return {
    effect: effectOf(interfaces, followed),
    refused: blockers.length > 0 ? dependentsRefuse(blockers) : null,
    writes,
  };
}

/**
 * Saves the edit: beside what foresee reads, one statement for each table in which something changes, whatever the number
 * of rows. Interfaces that differ get their next revision; `rows` are those, and those that are new.
 * @throws Problem that foresee finds: of the rules, or 409 `dependents_refuse` naming every blocker.
 */
export async function saveEdit(
  tx: Transaction,
  shell: { clock: Clock; entropy: Entropy },
  edit: InterfaceEdit,
): Promise<{ rows: NetworkInterface[]; effect: Effect }> {
  const { effect, refused, writes } = await foresee(tx, edit);
  if (refused) throw refused;
  const updated_at = instant(shell.clock.now());
  const { left, come } = differing(edit.before, edit.after);
  const [was, is, edited] = [left, come, effect.interfaces].map((some) => new Set(some.map(nameOf)));
  const changed = come.filter(({ name }) => edited!.has(name));
  const added = come.filter(({ name }) => !was!.has(name));
  const rows = [...changed.map((row) => ({ ...row, revision: row.revision + 1, updated_at })), ...added];
  if (rows.length === 1 && added.length === 0) await updateInterface(tx, rows[0]!);
  else await saveInterfaces(tx, rows);
  await deleteInterfaces(
    tx,
    left.filter((row) => !is!.has(row.name)),
  );
  if (writes) await saveRefresh(tx, shell, writes);
  return { rows, effect };
}

const nameOf = ({ name }: { name: string }): string => name;

type Rows = readonly NetworkInterface[];

/** Rows of each side that the other one does not have at the same place: one edit of many interfaces leaves the others alone. */
const differing = (before: Rows, after: Rows): { left: NetworkInterface[]; come: NetworkInterface[] } => ({
  left: before.filter((row, at) => after[at] !== row),
  come: after.filter((row, at) => before[at] !== row),
});

function editedBetween(before: Rows, after: Rows): EditedInterface[] {
  const { left, come } = differing(before, after);
  const known = new Map(left.map((row) => [row.name, row]));
  return come.flatMap((row) => {
    const current = known.get(row.name) ?? row;
    const changed = current === row ? [] : changesBetween(current, row);
    return changed.length > 0 ? [{ name: row.name, kind: row.kind, changed }] : [];
  });
}

const effectOf = (
  interfaces: EditedInterface[],
  { units, moves, deselected, notes }: Pick<Refresh, 'units' | 'moves' | 'deselected' | 'notes'>,
): Effect => ({
  interfaces,
  refreshed_units: units,
  moves: moves.slice(0, MOVES_MOST),
  moves_total: moves.length,
  deselected,
  notes,
});

function dependentsRefuse(blockers: readonly Blocker[]): Problem {
  const listed = blockers.slice(0, BLOCKERS_MOST);
  const [first] = listed;
  const more = blockers.length - listed.length;
  const others = blockers.length > 1 ? ` ${blockers.length - 1} more refuse it too.` : '';
  const left = more > 0 ? ` The first ${BLOCKERS_MOST} of them are listed.` : '';
  const detail = `${first!.subject} needs what this edit takes away. ${first!.reason}${others}${left} Nothing was saved.`;
  return new Problem('dependents_refuse', detail, { blockers: listed });
}

/** The refusal of several edits at once, by all that is in their way. */
export function inTheWay(code: 'dependents_refuse' | 'state_conflict', blockers: Blocker[]): Problem {
  const [first] = blockers;
  const more = blockers.length > 1 ? ` ${blockers.length - 1} more stand in the way too.` : '';
  const detail = `${first!.subject} stands in the way. ${first!.reason}${more} Nothing was saved.`;
  return new Problem(code, detail, { blockers });
}
