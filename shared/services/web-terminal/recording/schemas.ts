// What the API says of recordings of terminals. What was printed is no part of it.
import * as v from 'valibot';
import {
  component,
  described,
  idParam,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../../ground/schemas/component.ts';

export const RECORDINGS_PATH = '/api/v1/web-terminal/recordings';
export const RECORDINGS_TAG = 'Web terminal';
export const recordingParam = idParam('recording_id', 'Id of the recording.');

export const RECORDING_STATES = ['running', 'complete', 'cut-off', 'unreadable'] as const;

export const recordingSchema = component(
  'TerminalRecording',
  v.object({
    id: idSchema,
    state: described(
      v.picklist(RECORDING_STATES),
      '`cut-off`: it has no end, as after a crash; what came before is there. `unreadable`: it can’t be opened.',
    ),
    user: text('Who had the terminal; empty where it can’t be opened.'),
    account: text('Account of the operating system.'),
    machine: text('The other machine and its SSH port; empty for the appliance itself.'),
    source_address: text('Address that it was opened from.'),
    started_at: instantSchema,
    ended_at: v.nullable(instantSchema),
    ended_by: described(v.nullable(v.string()), 'Why the terminal ended, in a word; null without an end.'),
    kept_until: described(v.nullable(instantSchema), 'It is deleted then, as the person was told when it began.'),
    size_bytes: described(integerSchema, 'Bytes that it takes on the disk, sealed.'),
  }),
);
export const recordingListSchema = listOf('TerminalRecordingList', recordingSchema);
