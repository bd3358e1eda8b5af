// Three revisions of a form's fields: what they held when the form was opened, what is saved now, and what was typed.
// What was opened travels with the form, so that it needs no script and the appliance keeps nothing between two requests.
import { withoutHidden } from '../../shared/ground/schemas/plain-text.ts';

/** Of a field that is written only, never its content: a mark that changes with it. */
export interface Mark {
  mark: string;
}
export type FieldValue = string | boolean | readonly string[] | Mark;
/** Label of a field that can be typed or chosen, its name, and what is saved now. */
export type SavedField = readonly [label: string, field: string, value: FieldValue];
export type Opened = Readonly<Record<string, FieldValue>>;

/** Name of the hidden field. */
export const OPENED = 'opened';

/** What the hidden field of a form holds that is filled with what is saved now. */
export const openedText = (saved: readonly SavedField[]): string =>
  JSON.stringify(Object.fromEntries(saved.map(([, field, value]) => [field, value])));

/** Null where the form had none, or a damaged one. */
export function readOpened(text: string | null): Opened | null {
  if (!text) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
    const held = Object.entries(read).filter(([, value]) => isValue(value));
    return Object.assign(Object.create(null), Object.fromEntries(held)) as Opened;
  } catch {
    return null;
  }
}

export const isMark = (value: unknown): value is Mark =>
  typeof value === 'object' && value !== null && typeof (value as Mark).mark === 'string';

const isValue = (value: unknown): value is FieldValue =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  isMark(value) ||
  (Array.isArray(value) && value.every((each) => typeof each === 'string'));

/** Whether two values are one, as a form shows and sends them: browsers send other line ends, and boxes in their order. */
export const sameValue = (one: FieldValue, other: FieldValue): boolean =>
  isMark(one) === isMark(other) && shown(one) === shown(other);

function shown(value: FieldValue): string {
  if (isMark(value)) return value.mark;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return JSON.stringify([...value].sort());
  return value
    .split(/\r\n?|\n/)
    .map((line) => withoutHidden(line).trim())
    .join('\n')
    .trim();
}

export interface Collision {
  label: string;
  saved: FieldValue;
  typed: FieldValue;
}

export interface Merged {
  /** What both changed. */
  both: Collision[];
  /** Labels of fields that only others changed: the form shows what is saved now. */
  theirs: string[];
  /** Labels of fields that only this form changed. */
  mine: string[];
}

/** `typed`: what a field of the form held when it was sent. Without what was opened, each difference is one of both. */
export function mergedFields(
  opened: Opened | null,
  saved: readonly SavedField[],
  typed: (field: string, value: FieldValue) => FieldValue,
): Merged {
  const merged: Merged = { both: [], theirs: [], mine: [] };
  for (const [label, field, value] of saved) {
    const sent = typed(field, value);
    const changed = changedBy(opened?.[field], value, sent);
    if (changed === 'both') merged.both.push({ label, saved: value, typed: sent });
    else if (changed !== 'nobody') merged[changed].push(label);
  }
  return merged;
}

function changedBy(base: FieldValue | undefined, saved: FieldValue, sent: FieldValue): keyof Merged | 'nobody' {
  if (isMark(saved)) {
    const theirs = base !== undefined && !sameValue(base, saved);
    if (sent === '') return theirs ? 'theirs' : 'nobody';
    return theirs ? 'both' : 'mine';
  }
  if (sameValue(sent, saved)) return 'nobody';
  if (base === undefined) return 'both';
  if (sameValue(base, sent)) return 'theirs';
  return sameValue(base, saved) ? 'mine' : 'both';
}
