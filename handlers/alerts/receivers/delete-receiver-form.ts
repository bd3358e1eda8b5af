// The button that deletes a receiver, on the page that asks for confirmation.
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteReceiver } from './delete-receiver.ts';

export const operation = deleteForm(alertReceivers, deleteReceiver);
