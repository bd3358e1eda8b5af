// The form that deletes a recording of a terminal, after the own password; it is on a page of its own.
import * as v from 'valibot';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteRecording } from './delete-recording.ts';

export const operation = defineForm(
  {
    of: deleteRecording,
    path: `${pageRoute('terminal-recording')}/delete`,
    body: v.strictObject({}),
    prepare: async () => undefined,
  },
  {
    decode: () => ({}),
    confirms: { resource_type: 'terminal_recording' },
    done: () => ({ location: pagePath('terminal-recordings'), flash: 'The recording is deleted.' }),
  },
);
