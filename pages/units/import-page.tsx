// Reading rows of a collection from CSV, the same for each: a file or pasted lines, a preview that saves nothing, and the button
// that saves what the preview was of. Made from the declaration of the collection.

import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { Collection, Stored } from '../../shared/platform/units/collection.ts';
import { IMPORT_BYTES, IMPORT_ROWS_MOST, readColumns } from '../../shared/platform/units/import-rows.ts';
import type { RowsImported } from '../../shared/platform/units/import-schemas.ts';
import { type ImportedRows, importedRows } from '../../shared/platform/units/imported-rows.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CodeBlock } from '../components/code.tsx';
import { FileField, Form, FormActions, HiddenField, RadioField, TextArea } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ON_APPLY, Refused, type Typed, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ImportPreview } from './import-preview.tsx';

interface Crumb {
  href: string;
  label: string;
}

const MIB = IMPORT_BYTES / (1 << 20);
const FORM_LABELS = { file: 'File', csv: 'Rows', mode: 'Rows that exist', previewed: 'Preview' };

/** `trail`: the page of the subject, and that of the list where it is another one. */
export function importPage<Item extends Stored>(
  of: Collection<Item> | ImportedRows,
  trail: readonly [Crumb, ...Crumb[]],
): Operation {
  const into = importedRows(of);
  const { listed, page, resource } = into;
  const title = `Import ${listed.nouns}`;
  return definePage({
    id: `import${listed.component}Page`,
    path: page,
    current: trail[0].href,
    access: { session: `write:${resource}` },
    load: async () => ({}),
    title: () => title,
    view: ({ state, outcome }: ViewProps<object>) => (
      <>
        <PageHead
          title={title}
          here="Import"
          trail={trail}
          intro={`Up to ${IMPORT_ROWS_MOST.toLocaleString('en')} rows of CSV at once. A preview says what becomes of each. All of them are saved or none; nothing is deleted.`}
        />
        <ImportForm into={into} csrf={state.csrf} outcome={outcome} home={trail.at(-1)!.href} />
      </>
    ),
  });
}

interface FormProps {
  into: ImportedRows;
  csrf: string;
  outcome: FormOutcome | null;
  home: string;
}

type Answer = RowsImported & { csv: string };

/** What the preview was of; null before there is one, and after a refusal. */
const answerOf = ({ outcome }: Typed): Answer | null =>
  outcome && !outcome.problem && outcome.dry_run ? (outcome.result as Answer) : null;

function ImportForm({ into, csrf, outcome, home }: FormProps) {
  const typed = typedInto(`import${into.listed.component}Form`, outcome);
  const answer = answerOf(typed);
  const { nouns } = into.listed;
  const saves = answer !== null && answer.refused === 0 && answer.new + answer.changed > 0;
  return (
    <>
      <Refused typed={typed} labels={FORM_LABELS} />
      {answer && <ImportPreview of={answer} nouns={nouns} />}
      <div class="split">
        <Form action={into.page} csrf={csrf} look="stack" label={`Import ${nouns}`} files>
          {saves && <HiddenField name="previewed" value={answer.previewed} />}
          <FileField
            name="file"
            label="File"
            accept=".csv,text/csv"
            error={typed.of('file')}
            help={`CSV in UTF-8, at most ${MIB} MiB. It counts instead of the rows below.`}
          />
          <TextArea
            name="csv"
            label="Rows"
            value={answer?.csv ?? typed.text('csv', '')}
            error={typed.of('csv') === undefined ? undefined : 'See the list above: it names each line.'}
            rows={14}
            mono
          />
          <RadioField
            name="mode"
            label="Rows that exist"
            value={typed.text('mode', 'add_and_change')}
            error={typed.of('mode')}
            options={[
              { value: 'add_and_change', label: 'Add and change: they become what the file says' },
              { value: 'add', label: 'Add only: they stay as they are' },
            ]}
          />
          <FormActions note={ON_APPLY}>
            {saves && <Button kind="primary">Import</Button>}
            <Button kind={saves ? undefined : 'primary'} name="dry_run" value="true">
              Preview
            </Button>
            <ButtonLink href={home}>Cancel</ButtonLink>
          </FormActions>
        </Form>
        <Columns of={into} />
      </div>
    </>
  );
}

function Columns({ of }: { of: ImportedRows }) {
  const { key, names, without } = of;
  const { nouns } = of.listed;
  const columns = readColumns(of);
  const named = (member: string) => Object.keys(names).find((column) => names[column]!.of === member) ?? member;
  return (
    <section class="stick samples" aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <p>
        Those of the file that the list of {nouns} is downloaded as. The first line names them, in any order; what only
        the appliance sets is passed over.
      </p>
      <CodeBlock label="Columns that are read">{columns.join(',')}</CodeBlock>
      <p>
        A row is known by <code>{key.map(named).join(', ')}</code>. Columns that are left out stay as they are, or have
        the default in a new row.
      </p>
      <p class="muted">
        Commas, semicolons or tabs stand between cells. Spaces divide the items of a list. Yes and no are true and
        false.
      </p>
      {without !== undefined && <p>{without}</p>}
    </section>
  );
}
