// What the API says of drift that became the desired state.
import * as v from 'valibot';
import { CHANGED, FOLLOWED } from '../network/interface-resource.ts';
import { component } from '../operation/component.ts';
import { UNIT_IDS } from '../units/unit.ts';

export const adoptedDrift = component(
  'AdoptedDrift',
  v.object({
    unit: v.picklist(UNIT_IDS),
    interfaces: v.pipe(
      v.array(v.object({ name: v.string(), kind: v.picklist(['physical', 'vlan']), changed: CHANGED })),
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
