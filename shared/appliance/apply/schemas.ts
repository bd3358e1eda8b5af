// What the API says about plans.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../ground/schemas/component.ts';
import { plainLines } from '../../ground/schemas/plain-text.ts';
import { UNIT_IDS } from '../../platform/unit-names.ts';
import { UNITS } from '../units.ts';
import { PLAN_STATES } from './plan.ts';
import { RUN_STEPS } from './plan-store.ts';
import { NOTE_MAX } from './submit.ts';
import { confirmationSchema, confirmTimeout, openedSchema, windowSchema } from './window/schemas.ts';

export const unitId = described(v.picklist(UNIT_IDS), 'Id of the unit.');
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Expected the digest of the plan: 64 hexadecimal digits.'));

export const planCreate = component(
  'PlanCreate',
  v.strictObject({
    units: v.optional(
      v.pipe(
        v.array(v.picklist(UNITS.map(({ id }) => id))),
        v.minLength(1, 'Name at least one unit, or leave it out for all that changed.'),
        v.checkItems((id, at, all) => all.indexOf(id) === at, 'Each unit once.'),
        v.description('Only these units; default: all that changed.'),
      ),
    ),
    reapply: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'Puts the named units in force once more even where nothing saved differs from what was applied: to undo what was changed on the host by hand. It needs `units`.',
        ),
      ),
    ),
  }),
  { units: ['network', 'dns-dhcp'] },
);

export const planSubmit = component(
  'PlanSubmit',
  v.strictObject({
    digest: v.pipe(digest, v.description('`digest` of the plan as it was reviewed.')),
    note: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(NOTE_MAX, `At most ${NOTE_MAX} characters.`),
        plainLines,
        v.description(
          'For the history. Line breaks are accepted, other control characters and invisible characters are not.',
        ),
      ),
    ),
    confirm_timeout: v.optional(confirmTimeout),
    overwrite_drift: v.optional(
      v.pipe(
        v.array(v.picklist(UNITS.map(({ id }) => id))),
        v.maxLength(UNITS.length, 'Each unit once.'),
        v.description(
          'Units of the plan of which changes made by hand on the host are overwritten, as `drift` of the unit shows them. Default: none.',
        ),
      ),
    ),
  }),
  {
    digest: '3f0c9b7a5d1e48c26b90f7ae13d25c84e6719ab0c3d4f58217e60b9ad84c1f35',
    note: 'VLAN 20 for the workload domain',
    confirm_timeout: 120,
  },
);

export const unitLabel = text('Name of the unit, for people.');

const reason = v.pipe(
  v.string(),
  v.description(
    'Why it is in the plan: `first apply` of a unit that was never in force, `your change`, `required by Network` of one that follows others, or for one that came along `required by Network: …`.',
  ),
);

const change = v.object({
  setting: text('Name of the setting, for people: `record vc01.lab.test A`.'),
  before: described(v.nullable(v.string()), 'Value in force; null: there is none.'),
  after: described(v.nullable(v.string()), 'Value that is planned; null: it goes away.'),
});

const plannedUnit = component(
  'PlannedUnit',
  v.object({
    id: unitId,
    label: unitLabel,
    reason,
    version: v.pipe(integerSchema, v.description('Version of the desired state that was rendered.')),
    digest: v.pipe(v.string(), v.description('SHA-256 over the rendered files.')),
    says: v.pipe(v.array(v.string()), v.description('What the change means, one sentence each.')),
    risk: described(v.picklist(['low', 'medium', 'high']), 'How much may stop working.'),
    interruption: v.pipe(v.string(), v.description('What stops answering and for how long, or `none`.')),
    diff: described(
      v.object({
        added: described(integerSchema, 'Settings that are new.'),
        changed: described(integerSchema, 'Settings with another value.'),
        removed: described(integerSchema, 'Settings that go away.'),
        rows: v.pipe(v.array(change), v.description('The first 200 settings; the counts are of all.')),
      }),
      'What differs from what is in force, setting by setting.',
    ),
    raw: v.pipe(v.string(), v.description('Unified diff of the files, each cut to 400 lines.')),
    written: v.pipe(v.array(v.string()), v.description('Files that are new or differ.')),
    removed: v.pipe(v.array(v.string()), v.description('Files that go away.')),
    check: v.pipe(
      v.nullable(
        v.object({
          ok: described(v.boolean(), 'Whether it found nothing wrong.'),
          program: text('Program that was asked, or why none was.'),
          faults: described(v.array(v.string()), 'What is wrong, one line each.'),
          duration_ms: described(integerSchema, 'Milliseconds that the check took.'),
        }),
      ),
      v.description('What the validating program said.'),
    ),
    drift: described(
      v.nullable(
        v.object({
          lines: described(v.array(v.string()), 'What differs, one clause each; the first 20.'),
          more: described(integerSchema, 'Differences beyond those.'),
          raw: text(
            'Unified diff of the changed files, from what was applied to what the host has. Secrets are masked.',
          ),
        }),
      ),
      'What was changed on the host by hand since the unit was applied; the submit has to name the unit in `overwrite_drift`. Null: nothing.',
    ),
    reached: v.pipe(
      v.nullable(v.picklist(RUN_STEPS)),
      v.description('How far the run is with it; null before, and for a unit that was not reached or was refused.'),
    ),
  }),
);

const facts = {
  id: idSchema,
  state: described(
    v.picklist(PLAN_STATES),
    '`open`: can be submitted; `superseded`: a newer plan took its place; `submitted`: its job runs; `confirming`: in force, waits to be confirmed. The others are final.',
  ),
  note: text('What was noted for the history at the submit; may be empty.'),
  created_by: createdBy,
  created_at: instantSchema,
  submitted_by: described(v.nullable(v.string()), 'Who submitted it; null while nobody did.'),
  submitted_at: v.nullable(instantSchema),
  job_id: v.pipe(v.nullable(v.string()), v.description('The job that runs it.')),
  restorable: v.pipe(v.boolean(), v.description('Whether what it put in force is kept and can be brought back.')),
  finished_at: v.nullable(instantSchema),
  window: v.pipe(v.nullable(windowSchema), v.description('The confirm window that it was submitted with.')),
};

export const planSchema = component(
  'Plan',
  v.object({
    ...facts,
    digest: v.pipe(v.string(), v.description('What a submit repeats.')),
    units: v.pipe(v.array(plannedUnit), v.description('In the order in which they are applied.')),
    selection: v.pipe(
      v.nullable(v.array(unitId)),
      v.description('The units that were asked for; null: all that changed. Other units of the plan came along.'),
    ),
    left_out: v.pipe(
      v.array(v.string()),
      v.description('Names of units that differ and were not asked for; they stay as they are.'),
    ),
    unchanged: v.pipe(v.array(v.string()), v.description('Names of the units that do not change.')),
    overwrite_drift: v.pipe(
      v.array(unitId),
      v.description('Units of which changes made by hand on the host are overwritten.'),
    ),
    confirm: v.pipe(
      v.nullable(confirmationSchema),
      v.description(
        'Why the plan would need a confirmation if its author submitted it over the present connection; null if it leaves that connection alone. The submit decides again.',
      ),
    ),
    stale_units: v.pipe(
      v.array(unitId),
      v.description('Units of an open plan that changed since: it can no longer be submitted.'),
    ),
  }),
);

export const nothingToPlan = component(
  'NothingToPlan',
  v.object({
    plan_id: described(v.null(), 'Null: no plan was made.'),
    unchanged: v.pipe(v.array(v.string()), v.description('Names of the units that do not change.')),
    left_out: v.pipe(v.array(v.string()), v.description('Names of units that differ and were not asked for.')),
  }),
);

export const planListSchema = listOf(
  'PlanList',
  component(
    'PlanSummary',
    v.object({
      ...facts,
      units: described(
        v.array(
          v.object({
            id: unitId,
            label: unitLabel,
            reason,
            version: described(integerSchema, 'Version of the desired state that was rendered.'),
          }),
        ),
        'In the order in which they are applied.',
      ),
    }),
  ),
);

export const submittedSchema = component(
  'SubmittedPlan',
  v.object({
    plan_id: text('Id of the plan.'),
    job_id: v.pipe(v.string(), v.description('Poll it until it has ended.')),
    confirm: v.pipe(
      v.nullable(openedSchema),
      v.description('How it is to be confirmed; null: it stays as soon as it is applied.'),
    ),
  }),
);
