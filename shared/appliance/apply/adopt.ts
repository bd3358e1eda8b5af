// Adopting drift: what somebody set on the host by hand becomes the desired state, by the edits that anybody could make.
// The host stays as it is; the next plan puts in force what it has.

import { type Blocker, notFound, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import type { NamedEdit } from '../../platform/interfaces/edit-together.ts';
import { type UnitId, unitName } from '../../platform/unit-names.ts';
import type { Adoption, AnyUnit } from '../../platform/units/unit.ts';
import { editOfMany } from '../edits/edits.ts';
import { type Effect, type Foreseen, foresee, saveEdit } from '../edits/interface-edit.ts';
import { UNITS } from '../units.ts';
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
  /** Of the baseline that the host was compared with. */
  entries_digest: string;
}

const NOT_READABLE =
  'This change can’t be adopted automatically. Apply the unit again to undo it, or change the saved settings to match the host.';
const FILES_ONLY =
  'Only files were changed, and files are written from saved values: apply the unit again, or edit those.';
const SAME = 'The host is as the unit was applied.';

/** Why what was last found can't be adopted; null: it can be tried. */
export function whyNotAdoptable(unit: AnyUnit, drift: Drift | null): string | null {
  if (!unit.adopt) return unit.notAdopted ?? NOT_READABLE;
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
  if (!unit.adopt) throw cannot(unit, unit.notAdopted ?? NOT_READABLE);
  const { entries_digest } = (await unitStates(services.store)).get(unit.id) ?? { entries_digest: null };
  const baseline = await baselineOf(services, entries_digest);
  if (!baseline || entries_digest === null) throw cannot(unit, 'It was never applied.');
  const { host, logger } = services;
  let adoption: Adoption = { edits: [], refusals: [] };
  let files: string[];
  try {
    files = (await changedFiles(host, baseline.files)).map(fileWords);
    if (host.enforces) adoption = await unit.adopt(host, baseline.remembered);
  } catch (error) {
    const { message } = error as Error;
    logger.warn('a unit could not be compared with the host', { unit: unit.id, failure: { message } });
    throw cannot(unit, 'The host could not be read.');
  }
  if (adoption.edits.length + adoption.refusals.length === 0) throw cannot(unit, files.length > 0 ? FILES_ONLY : SAME);
  return { unit, ...adoption, files, entries_digest };
}

const cannot = ({ id }: AnyUnit, why: string): Problem =>
  new Problem('state_conflict', `Nothing of ${unitName(id)} can be adopted. ${why}`);

/** @throws Problem 409 `state_conflict` when the unit was applied since the host was read; and as editOfMany and saveEdit. */
export async function adopt(tx: Transaction, services: Services, found: FoundAdoption): Promise<Effect> {
  const state = (await unitStates(tx)).get(found.unit.id as UnitId);
  if (state?.entries_digest !== found.entries_digest) {
    throw new Problem('state_conflict', `${unitName(found.unit.id)} was applied while the host was read; look again.`);
  }
  const { effect } = await saveEdit(tx, services, await editOfMany(tx, found.edits, found.refusals));
  return effect;
}

/** What adopting would save and move. Reads only. */
export const foreseeAdoption = async ({ store }: Services, found: FoundAdoption): Promise<Foreseen> =>
  foresee(store, await editOfMany(store, found.edits, found.refusals));
