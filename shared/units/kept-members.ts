// Members that every item of a collection has, as schemas of requests and answers; and the small pieces that the schemas
// of several units share.
import * as v from 'valibot';
import { instantSchema, integerSchema, listed } from '../operation/component.ts';
import { plainText } from '../operation/plain-text.ts';

export const described = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text));

/** One of the words, in any case: `readWord` reads it. */
export const wordOf = <const T extends readonly string[]>(words: T, text: string) =>
  v.pipe(v.string(), v.maxLength(32), listed(words), v.description(text));

/** The word in its canonical spelling; null when it is none of them. */
export function readWord<T extends string>(words: readonly T[], text: string): T | null {
  const word = text.trim().toLowerCase();
  return words.find((known) => known === word) ?? null;
}

export const descriptionMember = v.pipe(
  v.string(),
  v.maxLength(500, 'At most 500 characters.'),
  plainText,
  v.description('For people; at most 500 characters, none of them a control or an invisible character.'),
);

/** `off`: what it means to be kept and not in use. */
export const enabledMember = (off: string) => described(v.boolean(), `Default true. False: ${off}`);

/** Last members of every answer. */
export const KEPT_MEMBERS = {
  enabled: v.boolean(),
  description: v.string(),
  created_at: instantSchema,
  updated_at: instantSchema,
  revision: integerSchema,
};
