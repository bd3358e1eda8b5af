// Asks before a recording of a terminal is deleted.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { findRecording, type Recording } from '../../shared/services/web-terminal/recording/recordings.ts';
import { recordingParam } from '../../shared/services/web-terminal/recording/schemas.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { RECORDINGS, TERMINAL } from './recording-words.ts';

export const page = definePage({
  id: 'deleteTerminalRecordingPage',
  path: `${pageRoute('terminal-recording')}/delete`,
  current: TERMINAL.href,
  access: { session: 'write:terminal-recordings' },
  params: recordingParam,
  load: ({ services, params }): Promise<Recording> => findRecording(services, params.recording_id),
  title: () => 'Delete the recording',
  view({ data: { id, user, account, machine, started_at }, state, outcome }) {
    const href = pagePath('terminal-recording', id);
    const typed = typedInto('deleteTerminalRecordingForm', outcome);
    return (
      <>
        <PageHead
          title="Delete the recording?"
          trail={[TERMINAL, RECORDINGS, { href, label: 'Recording' }]}
          here="Delete"
        />
        <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
        <p>
          The recording of {user || 'somebody'} as <code>{account || '—'}</code> on {machine || 'this appliance'}, begun{' '}
          {started_at}, is deleted for good. Files that were exported of it stay where they are.
        </p>
        <Form action={`${href}/delete`} csrf={state.csrf} label="Delete the recording">
          <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
          <FormActions>
            <Button kind="bad">Delete recording</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
