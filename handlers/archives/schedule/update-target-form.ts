// The form that changes a target; an empty field of a secret keeps the stored one, which is never part of the form.

import { SECRET_FIELDS, targetFields } from '../../../shared/appliance/archive/schedule/form-fields.ts';
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateTarget } from './update-target.ts';

export const operation = updateForm(archiveTargets, updateTarget, {
  path: `${pageRoute('archive-target')}/edit`,
  secret: SECRET_FIELDS,
  decode: (fields) => targetFields(fields, fields.text('kind')),
  done: ({ id }) => ({ location: pagePath('archive-target', id) }),
});
