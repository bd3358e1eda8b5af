// What an import of rows takes and answers, the same for each collection.
import * as v from 'valibot';
import { component, described, integerSchema, text } from '../../ground/schemas/component.ts';
import { IMPORT_BYTES, IMPORT_ROWS_MOST } from './import-rows.ts';

export const MODES = ['add', 'add_and_change'] as const;
export const FATES = ['new', 'changed', 'same', 'kept', 'refused'] as const;

/** Faults that are answered. */
export const FAULTS_MOST = 1_000;
/** Characters of a value that is answered. */
export const VALUE_MOST = 500;

export const importSchema = component(
  'RowsImport',
  v.strictObject({
    csv: v.pipe(
      v.string(),
      v.minLength(1, 'The file is missing or empty.'),
      v.maxLength(IMPORT_BYTES, `At most ${IMPORT_BYTES} bytes.`),
      v.description(
        `The file, at most ${IMPORT_BYTES} bytes and ${IMPORT_ROWS_MOST} rows. Its first line names the columns, in any order. Commas, semicolons or tabs stand between cells.`,
      ),
    ),
    mode: v.optional(
      v.pipe(
        v.picklist(MODES, 'Expected add or add_and_change.'),
        v.description(
          'add: rows that exist stay as they are. add_and_change: they become what the file says. Default add_and_change.',
        ),
      ),
    ),
    previewed: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[0-9a-f]{64}$/, 'Expected what a dry run answered as `previewed`.'),
        v.description('What a dry run answered. Refused when the file or a row that it names is another one now.'),
      ),
    ),
  }),
  { csv: 'address,prefer,description\ntime1.lab.test,true,In the rack\n', mode: 'add_and_change' },
);

const change = component(
  'RowChange',
  v.object({
    member: text('Name of the member.'),
    before: text(`As saved, as a cell; at most ${VALUE_MOST} characters.`),
    after: text('As the row makes it.'),
  }),
);
const row = component(
  'ImportedRow',
  v.object({
    line: described(integerSchema, 'Line of the file.'),
    title: text('What the row is known by.'),
    fate: described(
      v.picklist(FATES),
      'new: it is created. changed: it becomes what the file says. same: it says so already. kept: it exists, and is not changed by the mode. refused: its faults say why.',
    ),
    id: described(v.nullable(v.string()), 'Id of the item; null for a refused row and in a dry run for a new one.'),
    changes: described(v.array(change), 'What becomes another value, of a row that is changed.'),
  }),
);
const fault = component(
  'RowFault',
  v.object({
    line: described(integerSchema, 'Line of the file.'),
    column: described(integerSchema, 'Place of the cell in the line, from 1; 0: the row as a whole.'),
    name: text('Name of the column; empty: the row as a whole.'),
    detail: text('What is wrong, and what is accepted.'),
  }),
);

const count = (what: string) => described(integerSchema, what);

export const importedSchema = component(
  'RowsImported',
  v.object({
    new: count('Rows that are created.'),
    changed: count('Rows that are changed.'),
    same: count('Rows that say what is saved.'),
    kept: count('Rows that exist and are not changed by the mode.'),
    refused: count('Rows with faults. Only a dry run answers them: saving is refused with the first of the faults.'),
    rows: described(v.array(row), 'Each row of the file, in its order.'),
    faults: described(v.array(fault), `The first ${FAULTS_MOST} faults.`),
    fault_count: count('Faults in all.'),
    previewed: text('Stands for the file, the mode and the rows that it was held against.'),
  }),
);

export type RowsImport = v.InferOutput<typeof importSchema>;
export type RowsImported = v.InferOutput<typeof importedSchema>;
export type ImportedRow = v.InferOutput<typeof row>;
