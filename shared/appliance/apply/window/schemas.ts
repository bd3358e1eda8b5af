// What the API says about confirm windows.
import * as v from 'valibot';
import { component, described, instantSchema, integerSchema } from '../../../ground/schemas/component.ts';
import { UNIT_IDS } from '../../../platform/unit-names.ts';
import { REVERT_CAUSES, WINDOW } from './record.ts';
import { VIEWED_STATES } from './view.ts';

const seconds = v.pipe(
  v.number('Enter a number of seconds.'),
  v.integer('Whole seconds.'),
  v.minValue(WINDOW.least, `At least ${WINDOW.least} seconds.`),
  v.maxValue(WINDOW.most, `At most ${WINDOW.most} seconds.`),
);

export const confirmTimeout = v.pipe(
  seconds,
  v.description(
    `Seconds in which the plan has to be confirmed once it is in force; default ${WINDOW.default} where it touches the way that the request comes in on. Elsewhere a plan has no confirm window unless this is given.`,
  ),
);

const addresses = (what: string) => v.pipe(v.array(v.string()), v.description(what));

/** What a plan would have to be confirmed for. */
export const confirmationSchema = component(
  'PlanConfirmation',
  v.object({
    because: v.pipe(v.array(v.string()), v.description('Why, one sentence each.')),
    addresses_before: addresses('Where the management UI is reached now.'),
    addresses_after: addresses('Where it is to be reached with the plan in force.'),
  }),
);

const REPEATED = 'What the confirmation repeats.';

export const openedSchema = component(
  'OpenedConfirmWindow',
  v.object({
    nonce: v.pipe(v.string(), v.description(REPEATED)),
    timeout_seconds: v.pipe(integerSchema, v.description('Counted from when the plan is in force.')),
    addresses: addresses('Local addresses, one of which the confirmation has to arrive at.'),
  }),
);

export const windowSchema = component(
  'ConfirmWindow',
  v.object({
    state: v.pipe(
      v.picklist(VIEWED_STATES),
      v.description(
        '`opening`: nothing is changed yet; `applying`: the change is being made; `open`: in force, waits for a confirmation; `closed`: it ended before anything was changed; `damaged`: its record says nothing any more, so that it can only be rolled back, which happens by itself once it has lasted for as long as it was to.',
      ),
    ),
    timeout_seconds: described(integerSchema, 'Seconds for which it was opened.'),
    because: v.pipe(v.array(v.string()), v.description('Why it was opened; empty where it was only asked for.')),
    deadline_at: v.pipe(v.nullable(instantSchema), v.description('When it goes back unless it is confirmed.')),
    seconds_left: described(v.nullable(integerSchema), 'Seconds until it goes back; null unless it is open.'),
    extendable_seconds: v.pipe(
      v.nullable(integerSchema),
      v.description(
        `The longest extension that is left, in seconds from now: at most ${WINDOW.most}, and ${WINDOW.in_all / 60} minutes in all from when the window was opened. Null unless it is open.`,
      ),
    ),
    addresses: addresses('Local addresses, one of which the confirmation has to arrive at.'),
    nonce: v.pipe(
      v.nullable(v.string()),
      v.description('What the confirmation repeats; only in the answer to users who may apply, and never in lists.'),
    ),
    ended: described(
      v.nullable(
        v.object({
          by: v.pipe(v.string(), v.description('Who or what ended it.')),
          at: instantSchema,
          cause: described(
            v.picklist([...REVERT_CAUSES, 'confirmed']),
            'Why it ended; all but `confirmed` roll the plan back.',
          ),
          said: v.pipe(v.array(v.string()), v.description('What was rolled back, in sentences.')),
          unrestored: v.pipe(v.array(v.picklist(UNIT_IDS)), v.description('Units that could not be rolled back.')),
        }),
      ),
      'How it ended; null while it has not.',
    ),
  }),
);

export const planConfirm = component(
  'PlanConfirm',
  v.strictObject({
    nonce: v.pipe(v.string(), v.minLength(1, 'Send the nonce of the plan.'), v.maxLength(128), v.description(REPEATED)),
  }),
  { nonce: 'nonce-of-the-submitted-plan' },
);

export const planExtend = component(
  'PlanExtend',
  v.strictObject({
    confirm_timeout: v.pipe(seconds, v.description('Seconds that the window lasts from now on.')),
  }),
  { confirm_timeout: 300 },
);

export const CLEAR_REASON_MAX = 500;

export const windowClear = component(
  'WindowClear',
  v.strictObject({
    reason: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'Enter a reason: it goes into the audit log.'),
      v.maxLength(CLEAR_REASON_MAX, `At most ${CLEAR_REASON_MAX} characters.`),
      v.description('Why it is cleared, for the audit log.'),
    ),
  }),
  { reason: 'The record was damaged by a full disk; the console shows the earlier addresses.' },
);

export const clearedWindow = component(
  'ClearedWindow',
  v.object({
    plan_id: v.pipe(v.nullable(v.string()), v.description('The plan that waited in the window; null if none did.')),
    said: v.pipe(v.array(v.string()), v.description('What was rolled back, in sentences.')),
    unrestored: v.pipe(v.array(v.picklist(UNIT_IDS)), v.description('Units that could not be rolled back.')),
  }),
);
