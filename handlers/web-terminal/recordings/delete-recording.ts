// Deletes a recording of a terminal before its time.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { endedRecording, removeRecordingFile } from '../../../shared/services/web-terminal/recording/recordings.ts';
import {
  RECORDINGS_PATH,
  RECORDINGS_TAG,
  recordingParam,
} from '../../../shared/services/web-terminal/recording/schemas.ts';

export const operation = defineOperation({
  id: 'deleteTerminalRecording',
  method: 'DELETE',
  path: `${RECORDINGS_PATH}/{recording_id}`,
  access: { scope: 'write:terminal-recordings' },
  effect: 'immediate',
  tag: RECORDINGS_TAG,
  summary: 'Delete a recording of a terminal',
  description: 'Changes application state immediately: the file is gone. Exports that were made of it stay.',
  params: recordingParam,
  answers: { 204: { description: 'It is gone.' } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['terminal.recording.delete'],
  async run({ services, params, audit, afterCommit }) {
    const { id, path } = await endedRecording(services, params.recording_id);
    const detail = { why: 'by hand' };
    audit({ action: 'terminal.recording.delete', resource_type: 'terminal_recording', resource_id: id, detail });
    afterCommit(() => {
      removeRecordingFile(path).catch((error: Error) =>
        services.logger.error('a recording could not be removed', { failure: { message: error.message } }),
      );
    });
    return { status: 204 };
  },
});
