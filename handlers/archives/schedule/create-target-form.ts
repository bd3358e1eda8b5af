// The form that adds a target of archives.

import { SECRET_FIELDS, targetFields } from '../../../shared/appliance/archive/schedule/form-fields.ts';
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createTarget } from './create-target.ts';

export const operation = createForm(archiveTargets, createTarget, {
  secret: SECRET_FIELDS,
  decode: (fields) => ({ kind: fields.text('kind'), ...targetFields(fields, fields.text('kind')) }),
  done: ({ id, name }) => ({ location: pagePath('archive-target', id), flash: `Target ${name} is added.` }),
});
