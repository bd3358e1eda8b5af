// Switches many DHCP reservations on or off at once.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import {
  switchReservations,
  TOGETHER_MOST,
  togetherSchemas,
} from '../../../shared/services/dns-dhcp/dhcp/reservations-together.ts';

export const operation = defineOperation({
  id: 'switchDhcpReservations',
  method: 'POST',
  path: '/api/v1/dhcp/reservations/switch',
  access: { scope: 'write:dhcp' },
  effect: 'desired-state',
  tag: 'DHCP',
  summary: 'Switch many DHCP reservations',
  description: `Saves desired state only; the host follows at the next reviewed apply. Switches 1 to ${TOGETHER_MOST} reservations on or off, all of them or none, by the rules of a single one; those that are as asked keep their revision. The records that they register follow. A refusal names every fault with pointers such as \`/ids/3\`: 422 when any is wrong in itself, 409 when they only conflict with others; one that another part of the appliance keeps, such as an ESXi host, refuses with its page as a blocker. All share one audit event.`,
  body: togetherSchemas.switch,
  answers: { 200: { description: 'What changed, and what followed.', schema: togetherSchemas.switched } },
  problems: ['already_exists', 'state_conflict'],
  audit: ['dhcp.reservation.switch_many'],
  async run({ services, tx, body: { ids, enabled }, audit }) {
    const { items, ...counts } = await switchReservations(tx, services, ids, enabled);
    const detail = { enabled, count: items.length, ...counts, addresses: items.map(({ ip_address }) => ip_address) };
    audit({ action: 'dhcp.reservation.switch_many', resource_type: 'dhcp_reservation', resource_id: null, detail });
    return { body: { items, ...counts } };
  },
});
