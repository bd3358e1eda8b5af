// The REST operation that reads rows of a collection from CSV.
import * as v from 'valibot';
import { defineOperation, type Operation } from '../../kernel/operation/define-operation.ts';
import type { Collection, Stored } from './collection.ts';
import { importRows } from './collection-import.ts';
import type { Context, CreateWords } from './collection-operations.ts';
import { IMPORT_BYTES, IMPORT_ROWS_MOST, readColumns } from './import-rows.ts';
import { importedSchema, importSchema, type RowsImport } from './import-schemas.ts';
import { type ImportedRows, importedRows } from './imported-rows.ts';

/** A file in JSON: quotes and line ends take two characters, and the members beside it some. */
const BODY_BYTES = 2 * IMPORT_BYTES + (4 << 10);

/** `POST <collection>/import`. `follows` is that of the operation that creates one. */
export function importOperation<Item extends Stored>(
  of: Collection<Item> | ImportedRows,
  { follows }: Pick<CreateWords, 'follows'> = {},
): Operation {
  const into = importedRows(of);
  const { listed, path, resource, tag, action, noun, key, without } = into;
  return defineOperation({
    id: `import${listed.component}`,
    method: 'POST',
    path,
    access: { scope: `write:${resource}` },
    effect: 'desired-state',
    tag,
    summary: `Import ${listed.nouns} from CSV`,
    description: `Saves desired state only; the host follows at the next reviewed apply. Each row by the rules of one ${noun}, with its own audit event, in one transaction: all of them or none, and nothing is deleted. The columns are those of the file that the list is downloaded as, in any order: ${readColumns(into).join(', ')}; what only the appliance sets is passed over. Rows are known by ${key.join(', ')}. Columns that are left out keep their value, or have the default in a new row. At most ${IMPORT_ROWS_MOST} rows. A dry run answers what would become of each row, and every fault with its line and column; saving is refused with the first of them. With \`previewed\` of that answer nothing is saved when the file or a row that it names is another one by then.${without === undefined ? '' : ` ${without}`}`,
    query: v.strictObject({}),
    body: importSchema,
    bodyLimit: BODY_BYTES,
    answers: { 200: { description: 'What became of each row.', schema: importedSchema } },
    problems: ['state_conflict'],
    audit: [`${action}.create`, `${action}.update`],
    async run(context) {
      const body = await importRows(into, context as unknown as Context, context.body as RowsImport, follows);
      return { body, ...(body.new + body.changed === 0 && { unchanged: true }) };
    },
  });
}
