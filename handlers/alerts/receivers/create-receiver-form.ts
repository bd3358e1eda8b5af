// The form that adds a receiver of alerts.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { receiverFields } from '../../../shared/vcf/alerts/form-fields.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createReceiver } from './create-receiver.ts';

export const operation = createForm(alertReceivers, createReceiver, {
  secret: ['password'],
  decode: (fields) => ({ kind: fields.text('kind'), ...receiverFields(fields, fields.text('kind')) }),
  done: ({ id, name }) => ({ location: pagePath('alert-receiver', id), flash: `Receiver ${name} is added.` }),
});
