// The forms that read rows from a file, pasted or chosen. Their page shows the preview, then saves what it was of.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm, type FormDeclaration, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { Collection, Stored } from '../../shared/platform/units/collection.ts';
import { IMPORT_BYTES } from '../../shared/platform/units/import-rows.ts';
import type { RowsImport, RowsImported } from '../../shared/platform/units/import-schemas.ts';
import { type ImportedRows, importedRows } from '../../shared/platform/units/imported-rows.ts';

/** As a form every character may take three, and a file is sent beside what was pasted. */
export const FORM_BYTES = 4 * IMPORT_BYTES;

const isPreview = (fields: FormFields): boolean => fields.text('dry_run') === 'true';

/** Of a form: a large file is not decoded for each question about it. */
const texts = new WeakMap<FormFields, string | null>();

/** Null when it is no UTF-8, which has no NUL in texts. Lines end as in a text field, which is what it is shown in. */
function textOf(fields: FormFields): string | null {
  const known = texts.get(fields);
  if (known !== undefined) return known;
  const text = decodedText(fields);
  texts.set(fields, text);
  return text;
}

function decodedText(fields: FormFields): string | null {
  const sent = fields.text('file');
  if (sent === '') return (fields.values.get('csv') ?? '').replaceAll('\r\n', '\n');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(sent, 'base64'));
    return text.includes('\0') ? null : text.replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}

/** What the form of every import sends. A preview is of what is sent, not of what was previewed before. */
export const importFields = (fields: FormFields) => ({
  csv: textOf(fields) ?? '',
  mode: fields.text('mode') || undefined,
  previewed: isPreview(fields) ? undefined : fields.text('previewed') || undefined,
});

/** Of the declaration of each such form. */
export const IMPORT_FORM: Pick<FormDeclaration, 'files' | 'secret' | 'faults'> = {
  files: ['file'],
  secret: ['file'],
  faults: (fields) => [
    ...(textOf(fields) === null
      ? [{ pointer: '/file', detail: 'The file is not UTF-8 text. Save it as CSV in UTF-8, and choose it again.' }]
      : []),
    ...(!isPreview(fields) && fields.text('previewed') === ''
      ? [{ pointer: '/csv', detail: 'Look at the preview first.' }]
      : []),
  ],
};

/** What was saved, in words. */
export function savedWords({ new: created, changed }: RowsImported, noun: string, nouns: string): string {
  return `${created === 1 ? `1 ${noun}` : `${created} ${nouns}`} added, ${changed} changed.`;
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
      ...IMPORT_FORM,
      decode: importFields,
      done(answer) {
        const { noun, nouns } = listed;
        return { location: pageRoute(home), flash: savedWords(answer.body as RowsImported, noun, nouns) };
      },
    },
  );
}
