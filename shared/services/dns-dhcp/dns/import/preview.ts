// The preview of an import of records, as that of every import: counts, the rows that people look for first, and the faults.
import type { RowsImported } from '../../../../platform/units/import-schemas.ts';
import type { Checked, Compared } from './checked.ts';

/** Rows of each fate that are told: a page shows no more of them. */
const TOLD = 200;

type Fate = 'new' | 'kept' | 'refused';

export function previewOf({ rows, lines, refused }: Checked, { stays, previewed }: Compared): RowsImported {
  const { first } = refused.kept;
  const said = new Map(first.map(({ at, said }) => [at, said?.join(' ') ?? '']));
  const counts = { new: 0, kept: 0, refused: 0 };
  const told: RowsImported['rows'] = [];
  for (const [at, row] of rows.entries()) {
    const fate: Fate = refused.has(at) ? 'refused' : stays.has(at) ? 'kept' : 'new';
    if (++counts[fate] > TOLD) continue;
    const title = row ? `${row.fqdn} ${row.type} ${row.value.slice(0, TOLD)}` : (said.get(at) ?? '');
    told.push({ line: lines[at]!, title, fate, id: null, changes: [] });
  }
  return {
    ...counts,
    changed: 0,
    same: 0,
    rows: told,
    faults: first.map(({ line, member, detail }) => ({ line, column: 0, name: member, detail })),
    fault_count: refused.faults,
    previewed,
  };
}
