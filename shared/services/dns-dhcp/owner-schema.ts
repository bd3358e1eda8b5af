// Who keeps a record or a reservation, as answers say it.
import * as v from 'valibot';
import { described } from '../../ground/schemas/component.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';

/** `ref`: how the owner's own thing is named. */
export const ownerSchema = <R extends v.GenericSchema<string | null>>(ref: R) =>
  v.object({
    source: described(v.picklist(Object.values(OWNER) as readonly string[]), 'Which part of the appliance keeps it.'),
    ref: described(ref, 'Id of what it is kept for.'),
    component: described(v.nullable(v.string()), 'Name of what it is kept for, such as a host name; null for none.'),
  });
