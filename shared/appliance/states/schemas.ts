// What the API says of the units and of the host, as it was found last.
import * as v from 'valibot';
import { component, described, instantSchema, integerSchema } from '../../ground/schemas/component.ts';
import { DRIFT_STATES } from '../apply/drift-store.ts';
import { unitId, unitLabel } from '../apply/schemas.ts';
import { STATE_IDS } from './standing.ts';

export const driftSchema = component(
  'DriftReport',
  v.object({
    every_seconds: v.pipe(integerSchema, v.description('Seconds between two comparisons.')),
    items: described(
      v.array(
        component(
          'UnitDrift',
          v.object({
            unit: unitId,
            label: unitLabel,
            standing: v.pipe(
              v.picklist(STATE_IDS),
              v.description(
                'What pages say of the unit in one word. `pending`: an apply would change it by what is saved; `rehearsed`: applied where nothing is enforced; `drifted`: the host was changed; `failing`: the service does not answer as applied.',
              ),
            ),
            pending: v.pipe(v.boolean(), v.description('Whether an apply would change it by what is saved.')),
            probe: v.pipe(
              v.nullable(
                component(
                  'UnitProbe',
                  v.object({
                    ok: v.pipe(v.boolean(), v.description('Whether the service answers as applied.')),
                    said: v.pipe(v.string(), v.description('The question and the answer, in one sentence.')),
                    asked_at: instantSchema,
                    since: v.pipe(instantSchema, v.description('Since when it answers so.')),
                  }),
                ),
              ),
              v.description('What the service answered last; null: not asked since it was applied.'),
            ),
            state: v.pipe(
              v.picklist(['unknown', ...DRIFT_STATES]),
              v.description(
                '`none`: the host is as it was applied; `unreadable`: it could not be asked, `lines` says why; `unknown`: never applied, or not compared since.',
              ),
            ),
            checked_at: v.nullable(instantSchema),
            first_seen_at: v.pipe(v.nullable(instantSchema), v.description('Since when it differs.')),
            last_seen_at: v.nullable(instantSchema),
            lines: v.pipe(v.array(v.string()), v.description('What differs, the first 20.')),
            more: v.pipe(integerSchema, v.description('Differences beyond those.')),
            adoptable: v.pipe(
              v.boolean(),
              v.description(
                'Whether what the host has can become the saved values. The attempt reads the host again and names what blocks it.',
              ),
            ),
            not_adoptable: v.pipe(
              v.nullable(v.string()),
              v.description('Why not, in a sentence or two; null where it is.'),
            ),
          }),
        ),
      ),
      'One for each unit, in the order of an apply.',
    ),
  }),
);
