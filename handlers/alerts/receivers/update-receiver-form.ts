// The form that changes a receiver; an empty field of the password keeps the stored one, which is never part of the form.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { receiverFields } from '../../../shared/vcf/alerts/form-fields.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateReceiver } from './update-receiver.ts';

export const operation = updateForm(alertReceivers, updateReceiver, {
  path: `${pageRoute('alert-receiver')}/edit`,
  secret: ['password'],
  decode: (fields) => receiverFields(fields, fields.text('kind')),
  done: ({ id }) => ({ location: pagePath('alert-receiver', id) }),
});
