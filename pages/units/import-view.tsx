// The one page that reads rows from a file or from pasted lines: a preview that saves nothing, and the button that saves what the
// preview was of. Lists of collections make theirs from their declaration (import-page.tsx); others say here what is theirs.
import type { ComponentChildren } from 'preact';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { IMPORT_BYTES } from '../../shared/platform/units/import-rows.ts';
import type { RowsImported } from '../../shared/platform/units/import-schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FileField, Form, FormActions, HiddenField, RadioField, TextArea } from '../components/form.tsx';
import { ON_APPLY, Refused, type Typed, typedInto } from '../layout/form-state.tsx';
import { PageHead, type PageHeadProps } from '../layout/shell.tsx';
import { ImportPreview } from './import-preview.tsx';

const LABELS = { file: 'File', csv: 'Rows', mode: 'Rows that exist', previewed: 'Preview' };

export const mebibytes = (bytes: number): string => `${bytes / (1 << 20)} MiB`;

/** What an answer has beside rows: the text that they were read from; null where it is large: then its file waits under a name. */
export type ImportAnswer = RowsImported & { csv: string | null; held?: string | null };

export interface ImportViewProps {
  /** Id of the operation of its form. */
  form: string;
  title: string;
  trail: NonNullable<PageHeadProps['trail']>;
  intro: string;
  /** What the rows are, for people: `records`. */
  nouns: string;
  action: string;
  csrf: string;
  outcome: FormOutcome | null;
  /** Kinds of files, and bytes of one; CSV and IMPORT_BYTES by default. */
  file?: { accept: string; words: string; most: number };
  /** False: rows that exist always stay as they are. */
  changes?: boolean;
  /** Labels of the fields that only this import has. */
  labels?: Readonly<Record<string, string>>;
  /** Fields that only this import has: before the rows, and after them. */
  before?(typed: Typed): ComponentChildren;
  after?(typed: Typed): ComponentChildren;
  /** What was saved, where it is said here and not on the next page. */
  saved?(outcome: FormOutcome): ComponentChildren;
  /** What the rows look like, beside the form. */
  children: ComponentChildren;
}

const CSV_FILE = { accept: '.csv,text/csv', words: 'CSV', most: IMPORT_BYTES };

export function ImportView(props: ImportViewProps) {
  const { title, trail, intro, nouns, outcome, file = CSV_FILE } = props;
  const typed = withSize(typedInto(props.form, outcome), file.most);
  const answer = answerOf(typed);
  const said = typed.outcome && !typed.outcome.problem && !typed.outcome.dry_run;
  return (
    <>
      <PageHead title={title} here="Import" trail={trail} intro={intro} />
      <Refused typed={typed} labels={{ ...LABELS, ...props.labels }} />
      {said && props.saved?.(typed.outcome!)}
      {answer && <ImportPreview of={answer} nouns={nouns} />}
      <div class="split">
        <ImportForm of={props} typed={typed} answer={answer} file={file} />
        {props.children}
      </div>
    </>
  );
}

/** What the preview was of; null before there is one, and after a refusal. */
const answerOf = ({ outcome }: Typed): ImportAnswer | null =>
  outcome && !outcome.problem && outcome.dry_run ? (outcome.result as ImportAnswer) : null;

/** What was too large to be read is a fault of the file: nothing else can be. */
function withSize(typed: Typed, most: number): Typed {
  const { outcome } = typed;
  if (outcome?.problem?.error_code !== 'body_too_large') return typed;
  const detail = `It is too large: at most ${mebibytes(most)}. Send it in parts.`;
  const errors = [{ pointer: '/file', detail }];
  const problem = { ...outcome.problem, errors };
  return {
    ...typed,
    outcome: { ...outcome, problem },
    errors,
    of: (name) => (name === 'file' ? detail : undefined),
  };
}

interface FormProps {
  of: ImportViewProps;
  typed: Typed;
  answer: ImportAnswer | null;
  file: typeof CSV_FILE;
}

function ImportForm({ of, typed, answer, file }: FormProps) {
  const { trail, nouns, changes = true } = of;
  const saves = answer !== null && answer.refused === 0 && answer.new + answer.changed > 0;
  const held = answer?.held ?? null;
  const rows = answer?.csv ?? typed.text('csv', '');
  return (
    <Form action={of.action} csrf={of.csrf} look="stack" label={`Import ${nouns}`} files>
      {saves && <HiddenField name="previewed" value={answer.previewed} />}
      {held !== null && <HiddenField name="held" value={held} />}
      {of.before?.(typed)}
      <FileField
        name="file"
        label="File"
        accept={file.accept}
        error={typed.of('file')}
        help={`${file.words} in UTF-8, at most ${mebibytes(file.most)}. It counts instead of the rows below.`}
      />
      {held !== null && rows === '' && (
        <p>The file of the preview waits here for an hour: it need not be chosen again.</p>
      )}
      <TextArea
        name="csv"
        label="Rows"
        value={rows}
        error={typed.of('csv') === undefined ? undefined : 'See the list above: it names each line.'}
        rows={14}
        mono
      />
      {changes && (
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
      )}
      {of.after?.(typed)}
      <FormActions note={ON_APPLY}>
        {saves && <Button kind="primary">Import</Button>}
        <Button kind={saves ? undefined : 'primary'} name="dry_run" value="true">
          Preview
        </Button>
        <ButtonLink href={trail.at(-1)!.href}>Cancel</ButtonLink>
      </FormActions>
    </Form>
  );
}
