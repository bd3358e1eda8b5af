// What the API says of a plan whose state was brought back.
import * as v from 'valibot';
import { component, described, integerSchema, text } from '../../ground/schemas/component.ts';
import { UNIT_IDS } from '../../platform/unit-names.ts';

const unitId = v.picklist(UNIT_IDS);

export const restoredPlan = component(
  'RestoredPlan',
  v.object({
    restored_plan_id: v.pipe(v.string(), v.description('The earlier plan.')),
    units: v.pipe(v.array(unitId), v.description('Units whose saved state is as that plan applied it.')),
    left_units: v.pipe(
      v.array(unitId),
      v.description('Units of that plan of which nothing is kept; they stay as they are.'),
    ),
    collections: v.pipe(
      v.array(
        component(
          'RestoredCollection',
          v.object({
            unit: described(unitId, 'Id of the unit.'),
            collection: text('What was saved, for programs: `dhcp_scopes`, `ntp_settings`.'),
            label: text('The same, for people.'),
            added: described(integerSchema, 'Items that are new.'),
            changed: described(integerSchema, 'Items with other values.'),
            removed: described(integerSchema, 'Deleted items.'),
          }),
        ),
      ),
      v.description('What was saved, collection by collection. Empty: nothing differed and nothing was saved.'),
    ),
    followed: v.pipe(
      integerSchema,
      v.description('Other values that followed the interfaces, as they do when one is edited.'),
    ),
    followed_units: v.pipe(v.array(unitId), v.description('Units that those values belong to.')),
    plan_id: v.pipe(
      v.nullable(v.string()),
      v.description('The new plan, to be reviewed; null with dry_run, and where nothing is to be applied.'),
    ),
  }),
);
