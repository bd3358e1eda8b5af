// How the forms of entries are written down: one URI a line, an empty value field for no value or no change.

import { invalid } from '../../ground/problems.ts';
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

/** Fields of the form of a saved one. @throws Problem 422 for a new value together with the wish to have none. */
export function entryChanges(fields: FormFields) {
  const draft = entryFields(fields);
  if (!fields.checked('remove_value')) return draft;
  if ('value' in draft) {
    throw invalid({ pointer: '/remove_value', detail: 'Either a new value or none: leave one of the two.' });
  }
  return { ...draft, value: null };
}

/** A comma may be part of a URI, a space may not. */
export const typedUris = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** As it was typed: spaces around it are part of it. */
const typedValue = (fields: FormFields): string => fields.values.get('value') ?? '';
