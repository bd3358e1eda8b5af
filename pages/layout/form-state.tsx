// What the forms of pages share: what was typed, what a refusal says, and what a form that came too late says.

import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { errorsOf, type FormErrors } from '../access/form-errors.ts';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Refusal } from '../components/refusal.tsx';
import { OPENED, type Opened, openedText, readOpened, type SavedField, sameValue } from './opened.ts';

export type { SavedField } from './opened.ts';
export { type LastSave, lastSaveOf, StaleForm } from './stale.tsx';

/** Why the button of a form sends nothing for a reader. */
export const mayOnlyRead = (what: string): string => `Your role may only read ${what}.`;
export const ON_APPLY = 'Saved changes take effect when you apply them.';

export interface Typed extends FormErrors {
  /** The outcome, when it is one of this form. */
  outcome: FormOutcome | null;
  /** What its fields held when it was opened, as far as it said so. */
  opened: Opened | null;
  /** What was typed, else what is saved. Of a stale form what was not touched is what is saved now. */
  text(name: string, saved: string | number): string;
  checked(name: string, saved: boolean): boolean;
  /** What was chosen of fields that share a name. */
  all(name: string, saved: readonly string[]): readonly string[];
}

/** `form`: id of the form's operation; an outcome of another form of the page counts for nothing. */
export function typedInto(form: string, outcome: FormOutcome | null): Typed {
  const own = outcome?.operation_id === form ? outcome : null;
  const opened = readOpened(own?.values.get(OPENED) ?? null);
  const stale = isStale(own);
  const kept = <T extends string | boolean | readonly string[]>(name: string, saved: T, sent: T): T => {
    const base = stale ? opened?.[name] : undefined;
    return base !== undefined && sameValue(base, sent) ? saved : sent;
  };
  return {
    ...errorsOf(own && withItems(own)),
    outcome: own,
    opened,
    text: (name, saved) => kept(name, String(saved), own?.values.get(name) ?? String(saved)),
    checked: (name, saved) => kept(name, saved, own ? own.values.has(name) : saved),
    all: (name, saved) => kept(name, saved, own ? own.values.getAll(name) : saved),
  };
}

export const TYPE_AGAIN = 'Type it again: it was not kept when the form was refused.';

/** With a fault at each secret field that something was typed into: no form holds it when it comes back. */
export function withLost(typed: Typed, lost: readonly string[] = typed.outcome?.lost ?? []): Typed {
  const again = typed.outcome?.problem ? lost.filter((name) => typed.of(name) === undefined) : [];
  const errors = [...typed.errors, ...again.map((name) => ({ pointer: `/${name}`, detail: TYPE_AGAIN }))];
  const of = (name: string) => typed.of(name) ?? (again.includes(name) ? TYPE_AGAIN : undefined);
  return { ...typed, errors, of };
}

export const isStale = (outcome: FormOutcome | null): boolean => outcome?.problem?.status === 412;

export interface Edited {
  revision: number;
  /** What its fields hold at this revision. */
  opened: string;
}

/**
 * What the form of a saved resource is sent with. A form that was refused for another reason stays on the revision that
 * it was opened with: what others saved meanwhile still has to be looked at.
 */
export function editedFrom(typed: Typed, revision: number, saved: readonly SavedField[]): Edited {
  const sent = typed.outcome && !isStale(typed.outcome) ? typed.outcome.values : null;
  const opened_at = sent?.get('revision') ?? '';
  const opened = sent?.get(OPENED) ?? '';
  if (/^[0-9]{1,15}$/.test(opened_at)) return { revision: Number(opened_at), opened };
  return { revision, opened: openedText(saved) };
}

/** A fault of a line of a text area begins with the line, since the field holds them all. */
function withItems(outcome: FormOutcome): FormOutcome {
  const { problem, values } = outcome;
  if (!problem?.errors) return outcome;
  const errors = (problem.errors as FieldError[]).map(({ pointer, detail }) => {
    const [, name = '', at] = /^\/([^/]+)\/(\d+)$/.exec(pointer) ?? [];
    const texts = values.getAll(name);
    const item = texts.length === 1 ? texts[0]!.split(/[\s,]+/).filter(Boolean)[Number(at)] : undefined;
    return { pointer, detail: item === undefined || detail.includes(item) ? detail : `${item}: ${detail}` };
  });
  return { ...outcome, problem: { ...problem, errors } };
}

/** Faults with links to their fields, or what else stands in the way; nothing for a stale form, which Stale explains. */
export function Refused({ typed, labels }: { typed: Typed; labels: Record<string, string> }) {
  const problem = typed.outcome?.problem ?? null;
  if (problem === null || problem.status === 412) return null;
  // What was lost with a refused form is a fault at its field, but not why the form was refused.
  const refusal = ((problem.errors as unknown[] | undefined) ?? []).length === 0 && (
    <Refusal problem={problem} title="Not saved" />
  );
  if (typed.errors.length === 0) return refusal;
  const order = Object.keys(labels);
  const place = ({ pointer }: FieldError) => (order.indexOf(pointer.slice(1)) + order.length + 1) % (order.length + 1);
  return (
    <>
      {refusal}
      <ErrorSummary errors={typed.errors.toSorted((one, other) => place(one) - place(other))} labels={labels} />
    </>
  );
}
