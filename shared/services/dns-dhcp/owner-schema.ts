// Schema of the owner of a record or reservation in answers.
import * as v from 'valibot';
import { described } from '../../ground/schemas/component.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';

/** `ref`: schema of the owner's reference. */
export const ownerSchema = <R extends v.GenericSchema<string | null>>(ref: R) =>
  v.object({
    source: described(v.picklist(Object.values(OWNER) as readonly string[]), 'The part of the appliance that owns it.'),
    ref: described(ref, 'Id of the item that it belongs to.'),
    component: described(
      v.nullable(v.string()),
      'Name of the item that it belongs to, such as a host name; null for none.',
    ),
  });
