// What an import of rows answers, whoever reads and saves them: counts, rows and faults, and the digest that ties saving to the preview.
import { createHash } from 'node:crypto';
import { Problem } from '../../ground/problems.ts';
import type { RowFault } from './import-rows.ts';
import { FAULTS_MOST, type ImportedRow, type RowsImported } from './import-schemas.ts';

export interface SettledRow extends ImportedRow {
  faults: RowFault[];
}

/** `dry_run`: what it made is gone with it, so that new rows have no id. */
export function rowsImported(rows: readonly SettledRow[], previewed: string, dry_run: boolean): RowsImported {
  const faults = rows.flatMap((row) => row.faults);
  const many = (fate: ImportedRow['fate']) => rows.filter((row) => row.fate === fate).length;
  return {
    new: many('new'),
    changed: many('changed'),
    same: many('same'),
    kept: many('kept'),
    refused: many('refused'),
    rows: rows.map(({ line, title, fate, id, changes }) => {
      return { line, title, fate, id: dry_run && fate === 'new' ? null : id, changes };
    }),
    faults: faults.slice(0, FAULTS_MOST),
    fault_count: faults.length,
    previewed,
  };
}

/** Of what is saved, not of how it is written: a browser ends lines in its own way. */
export const digestOf = (said: unknown): string => createHash('sha256').update(JSON.stringify(said)).digest('hex');

export function changedMeanwhile(): Problem {
  const detail =
    'The file, or a row that it names, is no longer what the preview was of. Nothing was saved: look at the preview again.';
  return new Problem('state_conflict', detail, { errors: [{ pointer: '/previewed', detail }] });
}
