// Schemas of the members that every item of a collection has, and of small pieces that several units share.
import * as v from 'valibot';
import { described, instantSchema, listed, revisionSchema, text } from '../../ground/schemas/component.ts';
import { plainText } from '../../ground/schemas/plain-text.ts';

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

/** `off`: what false means. */
export const enabledMember = (off: string) => described(v.boolean(), `Default true. False: ${off}`);

export const descriptionAnswer = text('For people; may be empty.');

/** Last members of every answer. */
export const KEPT_MEMBERS = {
  enabled: described(v.boolean(), 'Whether it is in use. False: it is saved, and has no effect.'),
  description: descriptionAnswer,
  created_at: instantSchema,
  updated_at: instantSchema,
  revision: revisionSchema,
};
