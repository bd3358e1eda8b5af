// Gives the page of a recording what was printed, for the user's own password: to be replayed there, or as a file. Each time is
// written to the audit log before it is answered.
import * as v from 'valibot';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { openRecording } from '../../../shared/services/web-terminal/recording/recordings.ts';
import { RECORDINGS_TAG, recordingParam } from '../../../shared/services/web-terminal/recording/schemas.ts';

const PAGE = pageRoute('terminal-recording');

export const operation = defineForm(
  {
    id: 'openTerminalRecordingForm',
    path: `${PAGE}/open`,
    access: { session: 'read:terminal-recordings' },
    effect: 'immediate',
    tag: RECORDINGS_TAG,
    summary: 'Open a recording of a terminal',
    description:
      'What was printed, as asciicast v2. `whole` is false where its end is missing or damaged, as after a crash. It asks for the own password again: a shell may have printed secrets. Changes nothing.',
    params: recordingParam,
    body: v.strictObject({ purpose: v.picklist(['replay', 'export']) }),
    problems: ['resource_not_found', 'state_conflict'],
    audit: ['terminal.recording.replay', 'terminal.recording.export'],
    prepare: ({ services, params }) => openRecording(services, params.recording_id),
    async run({ params, body, audit, prepared }) {
      const { text, whole } = prepared as Awaited<ReturnType<typeof openRecording>>;
      const action = `terminal.recording.${body.purpose}`;
      audit({ action, resource_type: 'terminal_recording', resource_id: params.recording_id, detail: { whole } });
      return { body: { asciicast: text, whole } };
    },
  },
  {
    page: PAGE,
    confirms: { resource_type: 'terminal_recording' },
    fetch: true,
    decode: (fields) => ({ purpose: fields.text('purpose') }),
    done: (_answer, _fields, { recording_id }) => ({ location: pagePath('terminal-recording', recording_id!) }),
  },
);
