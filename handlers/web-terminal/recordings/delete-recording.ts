// Deletes a recording of a terminal before its time, for who knows the own password: a session or token that was stolen wipes no
// evidence.
import { confirmedByPasswordSchema } from '../../../shared/kernel/access/second-factor/schemas.ts';
import { confirmOwner, OWNER_ASKED } from '../../../shared/kernel/operation/confirm-owner.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { endedRecording, removeRecordingFile } from '../../../shared/services/web-terminal/recording/recordings.ts';
import {
  RECORDINGS_PATH,
  RECORDINGS_TAG,
  recordingParam,
} from '../../../shared/services/web-terminal/recording/schemas.ts';

const ACTION = 'terminal.recording.delete';

export const operation = defineOperation({
  id: 'deleteTerminalRecording',
  method: 'POST',
  path: `${RECORDINGS_PATH}/{recording_id}/delete`,
  access: { scope: 'write:terminal-recordings' },
  effect: 'immediate',
  tag: RECORDINGS_TAG,
  summary: 'Delete a recording of a terminal',
  description: `Changes application state immediately: the file is gone. Exports that were made of it stay. ${OWNER_ASKED}`,
  params: recordingParam,
  body: confirmedByPasswordSchema,
  answers: { 204: { description: 'It is gone.' } },
  problems: ['resource_not_found', 'state_conflict', 'too_many_attempts'],
  audit: [ACTION],
  prepare: ({ services, actor, request, params, body }) =>
    confirmOwner(
      services,
      { actor, request, body },
      { action: ACTION, resource_type: 'terminal_recording', resource_id: params.recording_id },
    ),
  async run({ services, params, audit, afterCommit }) {
    const { id, path } = await endedRecording(services, params.recording_id);
    const detail = { why: 'by hand' };
    audit({ action: ACTION, resource_type: 'terminal_recording', resource_id: id, detail });
    afterCommit(() => {
      removeRecordingFile(path).catch((error: Error) =>
        services.logger.error('a recording could not be removed', { failure: { message: error.message } }),
      );
    });
    return { status: 204 };
  },
});
