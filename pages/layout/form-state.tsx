// What the forms of pages share: what was typed, what a refusal says, and what a form that came too late says.

import type { FieldError } from '../../shared/ground/problems.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import { listAudit } from '../../shared/kernel/audit/list.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { errorsOf, type FormErrors } from '../access/form-errors.ts';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Refusal } from '../components/refusal.tsx';
import { type LastSave, Stale } from '../interfaces/answer.tsx';

export type { LastSave };

/** Why the button of a form sends nothing for a reader. */
export const mayOnlyRead = (what: string): string => `Your role may only read ${what}.`;
export const ON_APPLY = 'Saved changes take effect when you apply them.';

export interface Typed extends FormErrors {
  /** The outcome, when it is one of this form. */
  outcome: FormOutcome | null;
  /** What was typed, else what is saved. */
  text(name: string, saved: string | number): string;
  checked(name: string, saved: boolean): boolean;
  /** What was chosen of fields that share a name. */
  all(name: string, saved: readonly string[]): readonly string[];
}

/** `form`: id of the form's operation; an outcome of another form of the page counts for nothing. */
export function typedInto(form: string, outcome: FormOutcome | null): Typed {
  const own = outcome?.operation_id === form ? outcome : null;
  return {
    ...errorsOf(own && withItems(own)),
    outcome: own,
    text: (name, saved) => own?.values.get(name) ?? String(saved),
    checked: (name, saved) => (own ? own.values.has(name) : saved),
    all: (name, saved) => (own ? own.values.getAll(name) : saved),
  };
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
  if (typed.errors.length === 0) return <Refusal problem={problem} title="Nothing was saved" />;
  return <ErrorSummary errors={typed.errors} labels={labels} />;
}

/** Who saved last, for a form that came too late; reads nothing for any other. */
export async function lastSaveOf(
  db: Database,
  outcome: FormOutcome | null,
  resource: { type: string; id: string },
): Promise<LastSave | null> {
  if (outcome?.problem?.status !== 412) return null;
  const { items } = await listAudit(db, { resource_type: resource.type, resource_id: resource.id, limit: 1 });
  return items[0] ? { by: items[0].actor.name, at: items[0].at } : null;
}

/** Label of a field that can be typed or chosen, its name, and what is saved now. */
export type SavedField = readonly [label: string, field: string, value: string | boolean | readonly string[]];

export interface StaleFormProps {
  typed: Typed;
  name: string;
  revision: number;
  last: LastSave | null;
  saved: readonly SavedField[];
  now: string;
}

/** Somebody else saved in between: what is saved now, beside what was typed. */
export function StaleForm({ typed, name, revision, last, saved, now }: StaleFormProps) {
  if (typed.outcome?.problem?.status !== 412) return null;
  const differences = saved.flatMap(([label, field, value]) => {
    const [mine, its] = bothSpoken(typed, field, value);
    return mine === its ? [] : [{ label, saved: its || 'none', typed: mine || 'none' }];
  });
  return <Stale name={name} revision={revision} last={last} differences={differences} now={now} />;
}

function bothSpoken(typed: Typed, field: string, value: SavedField[2]): [mine: string, its: string] {
  if (typeof value === 'boolean') return [onOff(typed.checked(field, value)), onOff(value)];
  if (typeof value === 'string') return [spread(typed.text(field, value)), spread(value)];
  return [typed.all(field, value).join(', '), value.join(', ')];
}

/** Lines of a text area on one line. */
const spread = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .join(', ');
const onOff = (value: boolean): string => (value ? 'on' : 'off');
