// Settings that take over what a service runs with: an ordinary edit of their document, with the audit event of one.
import { type FieldError, Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { SettingsAdoption } from '../../platform/units/row-adoption.ts';
import { readSettings } from '../../platform/units/settings-store.ts';
import { editSettings } from '../edits/settings-operations.ts';
import { type AdoptedRow, type Adopting, type ForeseenRow, same } from './adopt-rows.ts';

/** What they would take over; none: it is saved already. Reads only. @throws Problem as adopting them does */
export async function foreseeSettings(db: Database, adoption: SettingsAdoption): Promise<ForeseenRow[]> {
  const { subject, definition, values } = adoption;
  const { saved } = await readSettings(db, definition);
  const members = Object.entries(values).flatMap(([member, after]) => {
    const before = saved[member];
    return same(before, after) ? [] : [{ member, before, after }];
  });
  const faults = definition.faults?.({ ...saved, ...values }, new Set()) ?? [];
  if (members.length > 0 && faults.length > 0) throw refusal(subject, faults);
  return members.length > 0 ? [{ subject, change: 'changed', members }] : [];
}

/** @throws Problem 409 `state_conflict` naming the members, as an edit of them; then nothing is saved */
export async function saveAdopted(adopting: Adopting, adoption: SettingsAdoption): Promise<AdoptedRow[]> {
  const { subject, definition, values } = adoption;
  const { changed, detail } = await editSettings(adopting, definition, values, null).catch((error: unknown) => {
    throw error instanceof Problem ? refusal(subject, error.members.errors ?? [], error.message) : error;
  });
  if (changed.length === 0) return [];
  const { key } = definition;
  const action = `${key}.settings.update`;
  adopting.audit({ action, resource_type: 'unit_settings', resource_id: key, detail: { ...detail, adopted: true } });
  return [{ name: subject, id: key, change: 'changed', members: changed }];
}

/** It names the members: nobody filled in a form that could show where. */
function refusal(subject: string, faults: readonly FieldError[], otherwise = ''): Problem {
  const said = faults.map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`).join(' ');
  return new Problem('state_conflict', `${subject} can’t take it over: ${said || otherwise}`);
}
