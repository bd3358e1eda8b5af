// The form that deletes a recording of a terminal; it is on a page of its own.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteRecording } from './delete-recording.ts';

export const operation = formOf(deleteRecording, {
  path: `${pageRoute('terminal-recording')}/delete`,
  done: () => ({ location: pagePath('terminal-recordings'), flash: 'The recording is deleted.' }),
});
