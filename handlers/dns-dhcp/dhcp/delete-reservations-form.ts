// The button that deletes the chosen DHCP reservations after a confirmation.
import * as v from 'valibot';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { type Switched, togetherSchemas } from '../../../shared/services/dns-dhcp/dhcp/reservations-together.ts';
import { chosenDone, listOfReservations } from '../../forms/chosen-reservations.ts';
import { operation as deleteDhcpReservations } from './delete-reservations.ts';

const body = v.strictObject({
  ...togetherSchemas.delete.entries,
  confirm: v.literal(true, 'Confirm that they are deleted.'),
});

export const operation = defineForm(
  { of: deleteDhcpReservations, path: `${listOfReservations}/delete`, body },
  {
    page: listOfReservations,
    decode: (fields) => ({ ids: fields.all('ids'), confirm: fields.checked('confirm') }),
    done: (answer, fields) => chosenDone(fields, (answer.body as Pick<Switched, 'items'>).items.length, 'deleted'),
  },
);
