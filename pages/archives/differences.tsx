// How an archive differs from what is saved: a table for each collection, its rows one by one.
import type { Restored } from '../../shared/appliance/archive/schemas.ts';
import { More } from '../components/code.tsx';
import { DataTable } from '../components/table.tsx';

type Collection = Restored['units'][number]['collections'][number];
type Row = Collection['rows'][number];

/** `2 added, 1 changed` */
export const countsIn = ({ added, changed, removed }: Pick<Collection, 'added' | 'changed' | 'removed'>): string =>
  Object.entries({ added, changed, removed })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');

const KINDS: Record<Row['kind'], string> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

/** `then`: where the other side is, in words. */
export function Differences({ units, then = 'in the archive' }: { units: Restored['units']; then?: string }) {
  return (
    <>
      {units.map(({ unit, label, collections }) => (
        <section key={unit} class="below" aria-labelledby={`unit-${unit}`}>
          <h2 id={`unit-${unit}`}>{label}</h2>
          {collections.map((each) => (
            <More key={each.collection} summary={`${each.label}: ${countsIn(each)}`}>
              <Rows of={each} unit={label} then={then} />
            </More>
          ))}
        </section>
      ))}
    </>
  );
}

interface RowsProps {
  of: Collection;
  unit: string;
  then: string;
}

function Rows({ of: { label, rows, added, changed, removed }, unit, then }: RowsProps) {
  const more = added + changed + removed - rows.length;
  return (
    <>
      <DataTable
        caption={`${unit}: ${label}`}
        dense
        columns={[
          { key: 'title', label, look: 'code', cell: ({ title, id }) => title || id },
          { key: 'kind', label: 'What happens', look: 'nowrap', cell: ({ kind }) => KINDS[kind] },
          { key: 'fields', label: `Now, and ${then}`, cell: (row) => <Fields {...row} then={then} /> },
        ]}
        rows={rows}
        rowKey={({ id }) => id}
        empty="None."
      />
      {more > 0 && <p class="muted">and {more} more</p>}
    </>
  );
}

function Fields({ fields, then }: Row & { then: string }) {
  return (
    <>
      {fields.map(({ name, from, to, secret }) => (
        <div key={name}>
          {name}:{' '}
          {secret ? <span class="muted">a secret that differs</span> : <Sides from={from} to={to} then={then} />}
        </div>
      ))}
    </>
  );
}

const Sides = ({ from, to, then }: Pick<Row['fields'][number], 'from' | 'to'> & { then: string }) => (
  <>
    <code class="was">
      <span class="vh">now: </span>
      {from}
    </code>
    <br />
    <code class="becomes">
      <span class="vh">{then}: </span>
      {to}
    </code>
  </>
);
