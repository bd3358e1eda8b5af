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
    rows: v.pipe(
      v.array(
        v.object({
          name: text('What it is: `User ada of lab`.'),
          id: text('Id of the row; of settings, the name of their document.'),
          change: described(v.picklist(['created', 'changed']), 'Whether it is a new row.'),
          members: described(v.array(v.string()), 'Members that took over a value of the host.'),
        }),
      ),
      v.description(
        'Rows of the unit, and its settings, that took over what its service has, each by an ordinary edit. Empty: none differs, or the unit has none that can be read back.',
      ),
    ),
    left: v.pipe(
      v.array(v.string()),
      v.description(
        'What else differs in the service and is not taken over, one clause each. No value of a password is among them.',
      ),
    ),
    files: v.pipe(
      v.array(v.string()),
      v.description(
        'Other files that were changed, one clause each. They are not taken over; an apply writes them again.',
      ),
    ),
    ...FOLLOWED,
  }),
);
