// The form of a profile.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { linesOf } from '../forms/certificate-fields.ts';
import { operation as updateProfile } from './update-profile.ts';

export const operation = defineForm(
  { of: updateProfile, path: pageRoute('certificate-profile'), access: { session: 'write:ca' } },
  {
    page: pageRoute('certificate-profile'),
    decode: (fields) => ({
      allowed_names: linesOf(fields.text('allowed_names')),
      validity_days: fields.text('validity_days') === '' ? null : fields.integer('validity_days'),
    }),
    done: () => ({ location: pagePath('certificate-profiles'), flash: 'The profile is saved.' }),
  },
);
