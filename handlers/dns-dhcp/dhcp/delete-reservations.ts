// Deletes many DHCP reservations at once.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import {
  deleteReservations,
  TOGETHER_MOST,
  togetherSchemas,
} from '../../../shared/services/dns-dhcp/dhcp/reservations-together.ts';

export const operation = defineOperation({
  id: 'deleteDhcpReservations',
  method: 'POST',
  path: '/api/v1/dhcp/reservations/delete',
  access: { scope: 'write:dhcp' },
  effect: 'desired-state',
  tag: 'DHCP',
  summary: 'Delete many DHCP reservations',
  description: `Saves desired state only; the host follows at the next reviewed apply. Deletes 1 to ${TOGETHER_MOST} reservations, all of them or none; the records that they registered go with them. An id that is not there is refused with 422 and a pointer such as \`/ids/3\`; one that another part of the appliance keeps, such as an ESXi host, with 409 and its page as a blocker. All share one audit event.`,
  body: togetherSchemas.delete,
  answers: { 200: { description: 'The reservations and records that are gone.', schema: togetherSchemas.deleted } },
  problems: ['state_conflict'],
  audit: ['dhcp.reservation.delete_many'],
  async run({ tx, body: { ids }, audit }) {
    const { items, records_removed } = await deleteReservations(tx, ids);
    const addresses = items.map(({ ip_address }) => ip_address);
    const detail = { count: items.length, records_removed, addresses };
    audit({ action: 'dhcp.reservation.delete_many', resource_type: 'dhcp_reservation', resource_id: null, detail });
    return { body: { items, records_removed } };
  },
});
