// Both ways of an upload: in pieces with figures, hidden until islands/upload-whole.ts is here; and in one form without scripts.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import { FILES } from '../../../shared/services/web-terminal/remote-files/limits.ts';
import { Button } from '../../components/button.tsx';
import { byteWords } from '../../components/byte-words.ts';
import { CheckField, FileField, Form, FormActions, HiddenField, TextField } from '../../components/form.tsx';
import { UploadWork } from '../../components/upload-work.tsx';
import { Refused, typedInto } from '../../layout/form-state.tsx';

interface Props {
  id: string;
  folder: string;
  csrf: string;
  outcome: FormOutcome | null;
}

export function UploadParts({ id, folder, csrf, outcome }: Props) {
  const to = pagePath('terminal-visit', id);
  const typed = typedInto('uploadTerminalFileForm', outcome);
  return (
    <section class="below" aria-labelledby="upload">
      <h2 id="upload">Upload into this folder</h2>
      <div
        class="upload"
        data-remote-to={to}
        data-folder={folder}
        data-csrf={csrf}
        data-piece={FILES.upload_piece}
        data-most={FILES.upload}
        hidden
      >
        <div class="upload-pick" data-part="pick">
          <label class="tick">
            <input type="checkbox" id="remote-replace" /> <span>Replace a file of the same name</span>
          </label>
          <div class="drop">
            <input type="file" id="remote-file" class="vh" />
            <label class="btn btn-primary" for="remote-file">
              Choose a file…
            </label>
            <p class="muted">
              or drop one here: at most {byteWords(FILES.upload)}. It is in its place once all of it is there.
            </p>
          </div>
          <p class="err" data-text="refused" role="alert" tabindex={-1} hidden />
        </div>
        <UploadWork />
      </div>
      <Refused typed={typed} labels={{ name: 'Name there', file: 'File', folder: 'Folder' }} />
      <noscript>
        <Form action={`${to}/upload`} csrf={csrf} files label="Upload a file">
          <HiddenField name="folder" value={folder} />
          <FileField
            name="file"
            label="File"
            error={typed.of('file')}
            help={`At most ${byteWords(FILES.form)} without scripts, and ${byteWords(FILES.upload)} with them.`}
          />
          <TextField
            name="name"
            label="Name there"
            value={typed.outcome?.values.get('name') ?? ''}
            error={typed.of('name')}
            mono
            required
            autocomplete="off"
          />
          <CheckField
            name="replace"
            label="Replace a file of the same name"
            checked={typed.outcome?.values.has('replace') ?? false}
          />
          <FormActions>
            <Button kind="primary">Upload</Button>
          </FormActions>
        </Form>
      </noscript>
    </section>
  );
}
