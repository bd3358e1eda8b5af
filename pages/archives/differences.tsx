// How an archive differs from what is saved: a table for each collection, its rows one by one.

import { rowChoice } from '../../shared/appliance/archive/row-choice.ts';
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

interface DifferencesProps {
  units: Restored['units'];
  /** Where the other side is, in words. */
  then?: string;
  /** Id of the form that takes the rows that are ticked; without one none can be. */
  form?: string;
}

export function Differences({ units, then = 'in the archive', form }: DifferencesProps) {
  return (
    <>
      {units.map(({ unit, label, collections }) => (
        <section key={unit} class="below" aria-labelledby={`unit-${unit}`}>
          <h2 id={`unit-${unit}`}>{label}</h2>
          {collections.map((each) => (
            <More key={each.collection} summary={`${each.label}: ${countsIn(each)}`}>
              <Rows
                of={each}
                caption={`${label}: ${each.label}`}
                then={then}
                tick={form === undefined ? null : { form, unit, collection: each.collection }}
              />
            </More>
          ))}
        </section>
      ))}
    </>
  );
}

interface RowsProps {
  of: Collection;
  caption: string;
  then: string;
  tick: { form: string; unit: string; collection: string } | null;
}

function Rows({ of: { label, rows, added, changed, removed }, caption, then, tick }: RowsProps) {
  const more = added + changed + removed - rows.length;
  return (
    <>
      <DataTable
        caption={caption}
        dense
        columns={[
          {
            key: 'title',
            label,
            look: 'code',
            cell: ({ title, id }) => (tick ? <Tick {...tick} id={id} title={title || id} list={label} /> : title || id),
          },
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

interface TickProps {
  form: string;
  unit: string;
  collection: string;
  id: string;
  title: string;
  list: string;
}

/** It belongs to the form below the tables. */
const Tick = ({ form, title, list, ...row }: TickProps) => (
  <label class="tick">
    <input type="checkbox" form={form} name="rows" value={rowChoice({ ...row, says: `${list}: ${title}` })} />
    <span>{title}</span>
  </label>
);

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
