// Uploading an archive, to restore from it.
import { Button, ButtonLink } from '../components/button.tsx';
import { FileField, Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ArchiveDrop } from './archive-drop.tsx';
import { ARCHIVES } from './words.ts';

const PATH = `${ARCHIVES.href}/upload`;

export const page = definePage({
  id: 'uploadArchivePage',
  path: PATH,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  load: async () => null,
  title: () => 'Upload an archive',
  view({ state, outcome }) {
    const typed = typedInto('uploadArchiveForm', outcome);
    return (
      <>
        <PageHead
          title="Upload an archive"
          trail={[ARCHIVES]}
          here="Upload"
          intro="To compare it with what is saved here, and to restore from it."
        />
        <Refused typed={typed} labels={{ file: 'File' }} />
        <ArchiveDrop csrf={state.csrf} archive={null} />
        <Form action={PATH} csrf={state.csrf} label="Upload" files>
          <FileField
            name="file"
            label="File"
            accept=".gcarchive,.age,.json"
            error={typed.of('file')}
            help="This form takes at most 3.9 MiB. With script the button above sends up to 64 MiB in pieces; on the shell, groundcrew archive restore FILE takes larger ones too."
          />
          <FormActions note="Nothing is restored yet.">
            <Button kind="primary">Upload</Button>
            <ButtonLink href={ARCHIVES.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
