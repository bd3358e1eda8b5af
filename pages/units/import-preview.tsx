// What would become of each row of a file: how many are new, changed, the same or refused, why, and what changes.
import { csv } from '../../shared/ground/csv.ts';
import type { ImportedRow, RowsImported } from '../../shared/platform/units/import-schemas.ts';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';

const FATES: Readonly<Record<ImportedRow['fate'], readonly ['ok' | 'off' | 'bad', string]>> = {
  new: ['ok', 'New'],
  changed: ['ok', 'Changes'],
  same: ['off', 'Same'],
  kept: ['off', 'Stays'],
  refused: ['bad', 'Refused'],
};

/** Rows that say nothing new are shown up to here: people look for the others. */
const ROWS_SHOWN = 200;
/** Of more rows than this those that are refused or change are there at once, or else the first; the others are folded. */
const OPEN = 20;

export function ImportPreview({ of, nouns }: { of: RowsImported; nouns: string }) {
  const { rows, faults, fault_count, refused } = of;
  const all = of.new + of.changed + of.same + of.kept + refused;
  const ordered = rows.toSorted((one, other) => weight(one) - weight(other) || one.line - other.line);
  const shown = ordered.slice(0, ROWS_SHOWN);
  const looked = shown.filter(({ fate }) => fate === 'refused' || fate === 'changed').length;
  const open = shown.length <= OPEN ? shown.length : looked || OPEN;
  const reasons = Map.groupBy(faults, ({ line }) => line);
  return (
    <section class="fig" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p role="status">
        {of.new} new, {of.changed} changed, {of.same} same, {of.kept > 0 && `${of.kept} left as they are, `}
        {refused} refused. Nothing is saved yet
        {refused > 0 && `: all ${nouns} of the file are saved, or none`}.
      </p>
      {fault_count > 0 && (
        <p>
          <a download="refused.csv" href={refusedFile(of)}>
            Refused rows as CSV
          </a>
          {fault_count > faults.length && ` (the first ${faults.length} of ${fault_count} faults)`}
        </p>
      )}
      {shown.length < all && (
        <p>
          The first {shown.length} of {all.toLocaleString('en')} rows, those that change something before the others.
        </p>
      )}
      <Rows of={shown.slice(0, open)} reasons={reasons} caption="The rows by what becomes of them" />
      {open < shown.length && (
        <details class="more">
          <summary>{shown.length - open} more rows</summary>
          <Rows of={shown.slice(open)} reasons={reasons} caption="More rows" />
        </details>
      )}
    </section>
  );
}

interface RowsProps {
  of: readonly ImportedRow[];
  /** By line. */
  reasons: ReadonlyMap<number, RowsImported['faults']>;
  caption: string;
}

function Rows({ of, reasons, caption }: RowsProps) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: 'line', label: 'Line', look: 'number', cell: ({ line }) => line },
        {
          key: 'fate',
          label: 'Import',
          look: 'nowrap',
          cell: ({ fate }) => <State kind={FATES[fate][0]}>{FATES[fate][1]}</State>,
        },
        { key: 'title', label: 'Row', look: 'code', cell: ({ title }) => title },
        {
          key: 'what',
          label: 'What changes, or why not',
          cell: ({ line, fate, changes }) =>
            fate === 'refused' ? <Reasons of={reasons.get(line) ?? []} /> : <Changes of={changes} />,
        },
      ]}
      rows={of}
      rowKey={({ line, title }) => `${line} ${title}`}
      empty="The file has no row."
    />
  );
}

const ORDER: readonly ImportedRow['fate'][] = ['refused', 'changed', 'new', 'kept', 'same'];
const weight = ({ fate }: ImportedRow): number => ORDER.indexOf(fate);

function Reasons({ of }: { of: RowsImported['faults'] }) {
  if (of.length === 0) return <>Its faults are beyond those that are listed.</>;
  return (
    <ul>
      {of.map(({ column, name, detail }) => (
        <li key={`${column} ${detail}`}>
          {column > 0 && `Column ${column}${name === '' ? ': ' : ' '}`}
          {name !== '' && (
            <>
              (<code>{name}</code>):{' '}
            </>
          )}
          {detail}
        </li>
      ))}
    </ul>
  );
}

function Changes({ of }: { of: ImportedRow['changes'] }) {
  if (of.length === 0) return <span class="muted">–</span>;
  return (
    <ul>
      {of.map(({ member, before, after }) => (
        <li key={member}>
          <code>{member}</code>: <del>{before === '' ? 'empty' : before}</del> →{' '}
          <ins>{after === '' ? 'empty' : after}</ins>
        </li>
      ))}
    </ul>
  );
}

/** It needs neither a script nor a place on the appliance. */
function refusedFile({ faults }: RowsImported): string {
  const rows = faults.map(({ line, column, name, detail }) => [line, column, name, detail]);
  return `data:text/csv;charset=utf-8,${encodeURIComponent(csv([['line', 'column', 'name', 'detail'], ...rows]))}`;
}
