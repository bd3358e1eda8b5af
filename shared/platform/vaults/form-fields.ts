// Fields of the forms of entries: one URI a line; an empty value field means no value or no change.

import type { FieldError } from '../../ground/problems.ts';
import type { FormFields } from '../../kernel/operation/operation.ts';

/** Seconds that a value is shown. */
export const REVEAL_SECONDS = 15;

/** Fields of the form of a new entry. */
export function entryFields(fields: FormFields) {
  const value = typedValue(fields);
  return {
    key: fields.text('key'),
    username: fields.text('username'),
    description: fields.text('description'),
    uris: typedUris(fields.text('uris')),
    ...(value !== '' && { value }),
  };
}

/** Fields of the form of a saved one. */
export function entryChanges(fields: FormFields) {
  const draft = entryFields(fields);
  return fields.checked('remove_value') && !('value' in draft) ? { ...draft, value: null } : draft;
}

/** Hidden field of a form that came back without the value that was typed. */
export const VALUE_LOST = 'value_lost';
/** Box: save without a new value after all. */
export const NO_NEW_VALUE = 'no_new_value';

/** Faults: a new value together with the box for none; and a value that was typed before and has to be typed again. */
export function valueFaults(fields: FormFields): FieldError[] {
  const removes = fields.checked('remove_value');
  if (typedValue(fields) !== '') {
    const detail = 'Either a new value or none: leave one of the two.';
    return removes ? [{ pointer: '/remove_value', detail }] : [];
  }
  if (!fields.checked(VALUE_LOST) || fields.checked(NO_NEW_VALUE) || removes) return [];
  return [{ pointer: '/value', detail: 'Type it again: it was not kept when the form was refused.' }];
}

/** A comma may be part of a URI, a space may not. */
export const typedUris = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Untrimmed: spaces are part of a value. */
const typedValue = (fields: FormFields): string => fields.values.get('value') ?? '';
