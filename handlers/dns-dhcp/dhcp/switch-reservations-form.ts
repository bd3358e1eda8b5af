// The buttons that enable or disable the chosen DHCP reservations.
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import type { Switched } from '../../../shared/services/dns-dhcp/dhcp/reservations-together.ts';
import { chosenDone, listOfReservations } from '../../forms/chosen-reservations.ts';
import { operation as switchDhcpReservations } from './switch-reservations.ts';

const SWITCHED: Readonly<Record<string, boolean>> = { true: true, false: false };

export const operation = formOf(switchDhcpReservations, {
  path: `${listOfReservations}/switch`,
  page: listOfReservations,
  decode: (fields) => ({ ids: fields.all('ids'), enabled: SWITCHED[fields.text('enabled')] }),
  done: (answer, fields) =>
    chosenDone(
      fields,
      (answer.body as Switched).items.length,
      fields.text('enabled') === 'true' ? 'enabled' : 'disabled',
    ),
});
