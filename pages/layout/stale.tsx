// A form that came too late: who saved in between, what both changed, and what the form holds now.
import type { Database } from '../../shared/ground/store/database.ts';
import { listAudit } from '../../shared/kernel/audit/list.ts';
import { actorWords } from '../../shared/kernel/audit/words.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import type { Typed } from './form-state.tsx';
import { type FieldValue, isMark, type Merged, mergedFields, type SavedField } from './opened.ts';

export interface LastSave {
  by: string;
  at: string;
}

/** Who saved last, for a form that came too late; reads nothing for any other. */
export async function lastSaveOf(
  db: Database,
  outcome: FormOutcome | null,
  resource: { type: string; id: string },
): Promise<LastSave | null> {
  if (outcome?.problem?.status !== 412) return null;
  const { items } = await listAudit(db, { resource_type: resource.type, resource_id: resource.id, limit: 1 });
  return items[0] ? { by: actorWords(items[0].actor), at: items[0].at } : null;
}

export interface StaleFormProps {
  typed: Typed;
  name: string;
  revision: number;
  last: LastSave | null;
  /** The fields of the form; none where it only asks a question or sets a secret. */
  saved: readonly SavedField[];
  now: string;
}

/** Somebody else saved in between: what both changed, theirs and mine. Everything else is merged into the form. */
export function StaleForm({ typed, name, revision, last, saved, now }: StaleFormProps) {
  const { outcome, opened } = typed;
  if (outcome?.problem?.status !== 412) return null;
  const merged = mergedFields(opened, saved, (field, value) => sentOf(outcome.values, field, value));
  return (
    <section class="impact" aria-labelledby="stale">
      <div class="block" role="alert">
        <h2 id="stale">Nothing was saved: {name} changed after you opened it</h2>
        <p>
          {last && (
            <>
              {last.by} saved it <Instant at={last.at} now={now} />.{' '}
            </>
          )}
          It is at revision {revision} now.{' '}
          {saved.length > 0 ? wordsOf(merged) : 'Look at it again before you repeat this.'}
        </p>
      </div>
      {merged.both.length > 0 && (
        <DataTable
          caption="Changed by both"
          dense
          columns={[
            { key: 'label', label: 'What', cell: (row) => row.label },
            { key: 'saved', label: 'Saved now', look: 'code', cell: (row) => spoken(row.saved, 'changed') },
            { key: 'typed', label: 'You typed', look: 'code', cell: (row) => typedWords(row) },
          ]}
          rows={merged.both}
          rowKey={(row) => row.label}
          empty=""
        />
      )}
    </section>
  );
}

function wordsOf({ both, theirs, mine }: Merged): string {
  const taken = theirs.length > 0 ? ` Taken from what is saved now: ${theirs.join(', ')}.` : '';
  if (both.length > 0) {
    const fields = both.length === 1 ? 'this field' : 'these fields';
    return `You and somebody else changed ${fields}. The form holds what you typed; saving replaces what is saved now.${taken}`;
  }
  if (mine.length === 0) return `No field of the form differs from what is saved now.${taken}`;
  return `Your changes do not conflict: ${mine.join(', ')}.${taken} Save again to keep both.`;
}

/** What the field held when the form was sent. */
function sentOf(values: URLSearchParams, field: string, value: FieldValue): FieldValue {
  if (typeof value === 'boolean') return values.has(field);
  if (isMark(value)) return values.get(field) ?? '';
  return typeof value === 'string' ? (values.get(field) ?? value) : values.getAll(field);
}

/** What is written only is not repeated. */
const typedWords = ({ saved, typed }: Merged['both'][number]): string =>
  isMark(saved) ? 'a new one' : spoken(typed, '');

function spoken(value: FieldValue, marked: string): string {
  if (isMark(value)) return marked;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const items = typeof value === 'string' ? value.trim().split(/\s*\n\s*/) : value;
  return items.join(', ') || 'none';
}
