// The form that takes an installer medium from the import folder.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createMedium } from './create-medium.ts';

export const operation = formOf(createMedium, {
  path: `${pagePath('boot-media')}/new`,
  decode: (fields) => ({
    name: fields.text('name'),
    path: fields.text('path'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: (_answer, fields) => ({
    location: pagePath('boot-media'),
    flash: `Installer medium ${fields.text('name')} is being unpacked.`,
  }),
});
