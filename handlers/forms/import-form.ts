// The form that reads rows of a collection from CSV, pasted or chosen. Its page shows the preview, then saves what it was of.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { Collection, Stored } from '../../shared/platform/units/collection.ts';
import { IMPORT_BYTES } from '../../shared/platform/units/import-rows.ts';
import type { RowsImport, RowsImported } from '../../shared/platform/units/import-schemas.ts';
import { type ImportedRows, importedRows } from '../../shared/platform/units/imported-rows.ts';

/** As a form every character may take three, and a file is sent beside what was pasted. */
const FORM_BYTES = 4 * IMPORT_BYTES;

const isPreview = (fields: FormFields): boolean => fields.text('dry_run') === 'true';

/** Null when it is no UTF-8. Lines end as in a text field, which is what it is shown in. */
function textOf(fields: FormFields): string | null {
  const sent = fields.text('file');
  if (sent === '') return (fields.values.get('csv') ?? '').replaceAll('\r\n', '\n');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(sent, 'base64'));
    return text.replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}

export function importForm<Item extends Stored>(rows: Collection<Item> | ImportedRows, of: Operation): Operation {
  const { page, home, listed } = importedRows(rows);
  const { run } = of.spec;
  return defineForm(
    {
      of,
      path: page,
      bodyLimit: FORM_BYTES,
      // biome-ignore lint/suspicious/noExplicitAny: as the operation itself is declared.
      run: async (context: any) => {
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        const answer = await (run as any)(context);
        // What was read from a file is shown again, so that it is saved without being chosen twice.
        return { ...answer, body: { ...answer.body, csv: (context.body as RowsImport).csv } };
      },
    },
    {
      files: ['file'],
      secret: ['file'],
      decode: (fields) => ({
        csv: textOf(fields) ?? '',
        mode: fields.text('mode') || undefined,
        previewed: isPreview(fields) ? undefined : fields.text('previewed') || undefined,
      }),
      faults: (fields) => [
        ...(textOf(fields) === null
          ? [{ pointer: '/file', detail: 'The file is not UTF-8 text. Save it as CSV in UTF-8, and choose it again.' }]
          : []),
        ...(!isPreview(fields) && fields.text('previewed') === ''
          ? [{ pointer: '/csv', detail: 'Look at the preview first.' }]
          : []),
      ],
      done(answer) {
        const { new: created, changed } = answer.body as RowsImported;
        const { noun, nouns } = listed;
        const count = created === 1 ? `1 ${noun}` : `${created} ${nouns}`;
        return { location: pageRoute(home), flash: `${count} added, ${changed} changed.` };
      },
    },
  );
}
