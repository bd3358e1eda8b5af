// How the API says a line of a log.
import * as v from 'valibot';
import { component, described, instantSchema, text } from '../../ground/schemas/component.ts';
import { LEVELS } from './entry.ts';
import { SOURCE_IDS } from './sources.ts';

export const logEntrySchema = component(
  'LogEntry',
  v.object({
    at: instantSchema,
    source: described(v.picklist(SOURCE_IDS), 'Whose line it is.'),
    level: described(v.picklist(LEVELS), 'How grave it is.'),
    message: text(
      'What the line says, with its facts; what looks like a secret is `[masked]`. At most 4,000 characters.',
    ),
    request_id: described(v.nullable(v.string()), 'The request that it belongs to; null: none, or none that is named.'),
  }),
);

export const logListSchema = component(
  'LogEntryList',
  v.object({
    items: described(
      v.array(logEntrySchema),
      'Lines of this page, the newest first; there may be none while there are older pages.',
    ),
    next_cursor: described(
      v.nullable(v.string()),
      'Pass it as `cursor` for older lines; null: nothing older is there. One answer looks at 6,000 lines at most.',
    ),
    searched_to: described(
      v.nullable(instantSchema),
      'Instant of the oldest line that was read; null: there was none to look at.',
    ),
  }),
);
