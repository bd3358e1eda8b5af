// A part of a request against its schema. A fault names its place and never its value.
import * as v from 'valibot';
import { ERRORS_MOST, type FieldError } from '../../ground/problems.ts';
import { OUR_WORDS, sentenceOf } from '../../ground/schemas/sentences.ts';

/** Where a part of a request has its members, and what to say of an unknown one. */
export interface Place {
  pointer(path: string[]): string;
  unknown: string;
}

/** Items of a list in a body; the schemas look at every item before they look at the length. */
const ITEMS_MOST = 1000;

/** The member of a body that is a list of more than ITEMS_MOST items. */
function tooLong(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).find(([, member]) => Array.isArray(member) && member.length > ITEMS_MOST)?.[0] ?? null;
}

/**
 * The value as the schema reads it; undefined, with the faults added to the errors, when the schema refuses it. Without a
 * schema, the value itself. `partly` is told what the schema could read of a value that it refuses.
 */
export function checked(
  schema: v.GenericSchema | undefined,
  value: unknown,
  { pointer, unknown }: Place,
  errors: FieldError[],
  partly?: (read: unknown) => void,
): unknown {
  if (!schema) return value;
  // Valibot's objects take an array for an object without members.
  if (Array.isArray(value) && schema.type !== 'array') {
    errors.push({ pointer: pointer([]), detail: 'Expected an object.' });
    return undefined;
  }
  const long = tooLong(value);
  if (long !== null) {
    errors.push({ pointer: pointer([long]), detail: `At most ${ITEMS_MOST} items.` });
    return undefined;
  }
  const result = v.safeParse(schema, value, { abortPipeEarly: true, ...OUR_WORDS });
  if (result.success) return result.output;
  for (const issue of result.issues) {
    const path = (issue.path ?? []).map((item) => String(item.key));
    const found = isUnknown(issue)
      ? unknownBeside(schema, issue, path).map((each) => ({ pointer: pointer(each), detail: unknown }))
      : [{ pointer: pointer(path), detail: explain(issue) }];
    errors.push(...found.slice(0, Math.max(0, ERRORS_MOST - errors.length)));
  }
  partly?.(result.output);
  return undefined;
}

/**
 * Valibot reports only the first unknown member of an object. This finds the others beside it, except inside a union, where
 * only Valibot's own report is known.
 */
function unknownBeside(schema: v.GenericSchema, issue: v.BaseIssue<unknown>, told: string[]): string[][] {
  const within = told.slice(0, -1);
  const { type, entries } = within.reduce(memberOf, unwrapped(schema));
  if (type !== 'strict_object') return [told];
  const sent = Object.keys(issue.path!.at(-1)!.input as object);
  return sent.filter((name) => !Object.hasOwn(entries, name)).map((name) => [...within, name]);
}

// biome-ignore lint/suspicious/noExplicitAny: schemas of every shape are walked.
type AnySchema = any;

function memberOf({ entries, item, value }: AnySchema, name: string): AnySchema {
  return unwrapped(entries?.[name] ?? item ?? value ?? {});
}

/** The schema inside `optional`, `nullable` and the like. */
const unwrapped = (schema: AnySchema): AnySchema => (schema.wrapped ? unwrapped(schema.wrapped) : schema);

/** A schema's own message is for a value that was sent; a missing one is reported as missing. */
function explain(issue: v.BaseIssue<unknown>): string {
  return issue.kind === 'schema' && issue.received === 'undefined' ? sentenceOf(issue) : issue.message;
}

const isUnknown = ({ expected }: v.BaseIssue<unknown>): boolean => expected === 'never';
