// Schemas of the REST API while a medium is received and unpacked.
import * as v from 'valibot';
import { component, described, integerSchema, text } from '../../../ground/schemas/component.ts';
import { MEDIUM_STATES } from './medium-store.ts';

export const mediumProgressSchema = component(
  'BootMediumProgress',
  v.object({
    medium_id: text('Id of the medium.'),
    state: described(v.picklist(MEDIUM_STATES), 'How far it is; hosts can install from one that is ready.'),
    received_bytes: v.pipe(
      integerSchema,
      v.description('Of an upload: bytes that have arrived; the next piece begins here.'),
    ),
    size_bytes: v.pipe(integerSchema, v.description('Of an upload: bytes of the whole image.')),
    job_id: v.pipe(v.nullable(v.string()), v.description('The job that unpacks it; null while pieces are missing.')),
  }),
);
