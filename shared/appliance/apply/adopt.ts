// Adopting drift: what somebody set on the host by hand becomes the desired state, by the edits that anybody could make.
// The host stays as it is; the next plan puts in force what it has.

import { type Blocker, notFound, Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { loadAppliedFiles } from '../../platform/applied/applied-files.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import type { NamedEdit } from '../../platform/interfaces/edit-together.ts';
import { type UnitId, unitName } from '../../platform/unit-names.ts';
import type { RowAdoption, RowsFound, SettingsAdoption } from '../../platform/units/row-adoption.ts';
import type { Adoption, AnyUnit } from '../../platform/units/unit.ts';
import { editOfMany } from '../edits/edits.ts';
import { type Effect, type Foreseen, foresee, saveEdit } from '../edits/interface-edit.ts';
import { UNITS } from '../units.ts';
import { type AdoptedRow, type Adopting, type ForeseenRow, foreseeRows, saveRows } from './adopt-rows.ts';
import { foreseeSettings, saveAdopted } from './adopt-settings.ts';
import { changedFiles, fileWords } from './changed-files.ts';
import type { Drift } from './drift-store.ts';
import { baselineOf } from './make-plan.ts';

/** What the host has other than a unit was applied, as it can be saved. */
export interface FoundAdoption {
  unit: AnyUnit;
  edits: readonly NamedEdit[];
  refusals: readonly Blocker[];
  /** Files that were changed besides; the next apply writes them again. */
  files: string[];
  /** Rows of the unit's own that take over what its service has. */
  rows: readonly RowAdoption[];
  /** Settings of the unit that take over what its service runs with. */
  settings: SettingsAdoption | null;
  /** What of the service is not taken over, one clause each. */
  left: readonly string[];
  /** Of the baseline that the host was compared with. */
  entries_digest: string;
}

const NOT_READABLE =
  'This change can’t be adopted automatically. Apply the unit again to undo it, or change the saved settings to match the host.';
const FILES_ONLY =
  'Only files were changed, and files are written from saved values: apply the unit again, or edit those.';
const SAME = 'The host is as the unit was applied.';
const LEFT = (left: readonly string[]): string =>
  `What was changed is of no kind that is taken over. ${left.join('. ')}.`;

/** Whether what the host has can be read back into what is saved. */
export const adopts = ({ adopt, adoptRows }: AnyUnit): boolean => adopt !== undefined || adoptRows !== undefined;

/** Why what was last found can't be adopted; null: it can be tried. */
export function whyNotAdoptable(unit: AnyUnit, drift: Drift | null): string | null {
  if (!adopts(unit)) return unit.notAdopted ?? NOT_READABLE;
  if (drift === null) return 'It was not compared with the host yet.';
  if (drift.state === 'unreadable') return 'The host could not be read.';
  if (drift.state === 'none') return SAME;
  return drift.more === 0 && drift.lines.every((line) => typeof line === 'object') ? FILES_ONLY : null;
}

/**
 * Reads the host.
 * @throws Problem 404; 409 `state_conflict` where nothing can be adopted.
 */
export async function findAdoption(services: Services, unit_id: string): Promise<FoundAdoption> {
  const unit = UNITS.find(({ id }) => id === unit_id);
  if (!unit) throw notFound('This unit');
  if (!adopts(unit)) throw cannot(unit, unit.notAdopted ?? NOT_READABLE);
  const { entries_digest } = (await unitStates(services.store)).get(unit.id) ?? { entries_digest: null };
  const baseline = await baselineOf(services, entries_digest, unit.id);
  if (!baseline || entries_digest === null) throw cannot(unit, 'It was never applied.');
  const { host, logger } = services;
  let adoption: Adoption = { edits: [], refusals: [] };
  let own: RowsFound = { rows: [], refusals: [], left: [] };
  let files: string[];
  try {
    files = (await changedFiles(host, baseline.files)).map(fileWords);
    if (host.enforces && unit.adopt) adoption = await unit.adopt(host, baseline.remembered);
    if (host.enforces && unit.adoptRows) {
      const applied = await loadAppliedFiles(services.settings.data, entries_digest);
      own = await unit.adoptRows(host, baseline.remembered, applied);
    }
  } catch (error) {
    const { message } = error as Error;
    logger.warn('a unit could not be compared with the host', { unit: unit.id, failure: { message } });
    throw cannot(unit, 'The host could not be read.');
  }
  const { rows, left, settings = null } = own;
  const refusals = [...adoption.refusals, ...own.refusals];
  if (adoption.edits.length + rows.length + refusals.length === 0 && settings === null) {
    const why = left.length > 0 ? LEFT(left) : files.length > 0 ? FILES_ONLY : SAME;
    throw cannot(unit, why);
  }
  return { unit, edits: adoption.edits, refusals, rows, settings, left, files, entries_digest };
}

const cannot = ({ id }: AnyUnit, why: string): Problem =>
  new Problem('state_conflict', `Nothing of ${unitName(id)} can be adopted. ${why}`);

/** What became the desired state. */
export interface Adopted extends Effect {
  rows: AdoptedRow[];
}

/**
 * @throws Problem 409 `state_conflict` when the unit was applied since the host was read; and as editOfMany, saveEdit and an
 * edit of one of its rows.
 */
export async function adopt(adopting: Adopting, found: FoundAdoption): Promise<Adopted> {
  const { tx, services } = adopting;
  const state = (await unitStates(tx)).get(found.unit.id as UnitId);
  if (state?.entries_digest !== found.entries_digest) {
    throw new Problem('state_conflict', `${unitName(found.unit.id)} was applied while the host was read; look again.`);
  }
  const { effect } = await saveEdit(tx, services, await editOfMany(tx, found.edits, found.refusals));
  const settings = found.settings ? await saveAdopted(adopting, found.settings) : [];
  return { ...effect, rows: [...settings, ...(await saveRows(adopting, found.rows))] };
}

export interface ForeseenAdoption extends Foreseen {
  rows: ForeseenRow[];
}

/** What adopting would save and move. Reads only. */
export async function foreseeAdoption({ store }: Services, found: FoundAdoption): Promise<ForeseenAdoption> {
  const foreseen = await foresee(store, await editOfMany(store, found.edits, found.refusals));
  if (foreseen.refused) return { ...foreseen, rows: [] };
  try {
    const settings = found.settings ? await foreseeSettings(store, found.settings) : [];
    return { ...foreseen, rows: [...settings, ...(await foreseeRows(store, found.rows))] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...foreseen, refused: error, rows: [] };
  }
}
