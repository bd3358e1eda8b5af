// The form that takes an installer medium from the import folder.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createMedium } from './create-medium.ts';

export const operation = defineForm(
  { of: createMedium, path: '/ui/management/network-boot/media/new', access: { session: 'write:pxe' } },
  {
    page: '/ui/management/network-boot/media/new',
    decode: (fields) => ({
      name: fields.text('name'),
      path: fields.text('path'),
      description: fields.text('description'),
      enabled: fields.checked('enabled'),
    }),
    done: (_answer, fields) => ({
      location: '/ui/management/network-boot/media',
      flash: `Installer medium ${fields.text('name')} is being unpacked.`,
    }),
  },
);
