// What the forms of zones, records and settings share: where they are, what was typed, and what a stale one says.
import { listAudit } from '../../shared/audit/list.ts';
import type { FormOutcome } from '../../shared/operation/services.ts';
import type { Database } from '../../shared/store/database.ts';
import { errorsOf, type FormErrors } from '../access/form-errors.ts';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Refusal } from '../components/refusal.tsx';
import { type LastSave, Stale } from '../interfaces/answer.tsx';
import { ROOT } from '../layout/navigation.ts';

export const DNS = `${ROOT}/dns`;
export const zoneHref = (zone_id: string): string => `${DNS}/zones/${encodeURIComponent(zone_id)}`;
export const recordHref = (record_id: string): string => `${DNS}/records/${encodeURIComponent(record_id)}`;
export const newRecordHref = (zone: string): string => `${DNS}/records/new?zone=${encodeURIComponent(zone)}`;

/** Why the button of a form sends nothing for a reader. */
export const MAY_ONLY_READ = 'Your role may only read DNS.';
export const ON_APPLY = 'Saving changes nothing on the host. The change goes into the next reviewed apply.';

export interface Typed extends FormErrors {
  /** The outcome, when it is one of this form. */
  outcome: FormOutcome | null;
  /** What was typed, else what is saved. */
  text(name: string, saved: string | number): string;
  checked(name: string, saved: boolean): boolean;
}

export function typedInto(form: string, outcome: FormOutcome | null): Typed {
  const own = outcome?.operation_id === form ? outcome : null;
  return {
    ...errorsOf(own),
    outcome: own,
    text: (name, saved) => own?.values.get(name) ?? String(saved),
    checked: (name, saved) => (own ? own.values.has(name) : saved),
  };
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

export interface StaleFormProps {
  typed: Typed;
  name: string;
  revision: number;
  last: LastSave | null;
  /** Label of each field that can be typed, its name, and what is saved now. */
  saved: readonly (readonly [label: string, field: string, value: string | boolean])[];
  now: string;
}

/** Somebody else saved in between: what is saved now, beside what was typed. */
export function StaleForm({ typed, name, revision, last, saved, now }: StaleFormProps) {
  if (typed.outcome?.problem?.status !== 412) return null;
  const differences = saved.flatMap(([label, field, value]) => {
    const flag = typeof value === 'boolean';
    const mine = flag ? onOff(typed.checked(field, value)) : typed.text(field, value).trim();
    const its = flag ? onOff(value) : value;
    return mine === its ? [] : [{ label, saved: its || 'none', typed: mine || 'none' }];
  });
  return <Stale name={name} revision={revision} last={last} differences={differences} now={now} />;
}

const onOff = (value: boolean): string => (value ? 'on' : 'off');
