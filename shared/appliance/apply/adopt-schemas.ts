// What the API says of drift that became the desired state.
import * as v from 'valibot';
import { component, described, text } from '../../ground/schemas/component.ts';
import { CHANGED, FOLLOWED } from '../../platform/interfaces/interface-resource.ts';
import { UNIT_IDS } from '../../platform/unit-names.ts';

export const adoptedDrift = component(
  'AdoptedDrift',
  v.object({
    unit: described(v.picklist(UNIT_IDS), 'Id of the unit.'),
    interfaces: v.pipe(
      v.array(
        v.object({
          name: text('Name of the interface.'),
          kind: described(v.picklist(['physical', 'vlan']), 'A physical interface, or a VLAN on one.'),
          changed: described(CHANGED, 'Saved properties that changed.'),
        }),
      ),
      v.description(
        'Interfaces whose saved values became those of the host. Empty: what differs from what was applied is saved already, and nothing was written.',
      ),
    ),
    files: v.pipe(
      v.array(v.string()),
      v.description(
        'Files that were changed besides, one clause each. They are not taken over; an apply writes them again.',
      ),
    ),
    ...FOLLOWED,
  }),
);
