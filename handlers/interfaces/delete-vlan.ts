// Deletes a VLAN.

import { removeVlan } from '../../shared/appliance/edits/edits.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vlan, vlanView } from '../../shared/platform/interfaces/interface-resource.ts';

export const operation = defineOperation({
  id: 'deleteVlan',
  method: 'DELETE',
  path: '/api/v1/vlans/{vlan_id}',
  access: { scope: 'write:vlans' },
  effect: 'desired-state',
  tag: 'VLANs',
  summary: 'Delete a VLAN',
  description:
    'Saves desired state only; the host follows at the next reviewed apply, which removes the link. Refused when it would leave no effective management UI listener, or while a saved service still needs the VLAN or an enabled rule of the firewall names it. With dry_run the answer is the VLAN with the impact of its deletion.',
  params: idParam('vlan_id', 'Opaque id of the VLAN, not its 802.1Q number.'),
  answers: {
    204: { description: 'The VLAN is gone from the desired state.' },
    200: { description: 'With dry_run: the VLAN as it is, and what its deletion would change.', schema: vlan },
  },
  problems: [
    'resource_not_found',
    'no_management_listener',
    'dependents_refuse',
    'revision_stale',
    'malformed_precondition',
  ],
  audit: ['network.vlan.delete'],
  async run({ services, tx, params, request, audit }) {
    const { row, impact } = await removeVlan(tx, services, params.vlan_id, request.if_match);
    const { id, name, ipv4_cidr, ipv6_cidr } = row;
    const detail = { name, ipv4_cidr, ipv6_cidr, refreshed_units: impact.refreshed_units };
    audit({ action: 'network.vlan.delete', resource_type: 'vlan', resource_id: id, detail });
    if (request.dry_run) return { status: 200, body: vlanView(row, impact) };
    return { status: 204 };
  },
});
