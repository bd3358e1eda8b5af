// Edits the desired state of a VLAN.

import { updateVlan } from '../../shared/appliance/edits/edits.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vlan, vlanView } from '../../shared/platform/interfaces/interface-resource.ts';
import { vlanUpdate } from '../../shared/platform/interfaces/interface-schema.ts';

export const operation = defineOperation({
  id: 'updateVlan',
  method: 'PATCH',
  path: '/api/v1/vlans/{vlan_id}',
  access: { scope: 'write:vlans' },
  effect: 'desired-state',
  tag: 'VLANs',
  summary: 'Update a VLAN',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Parent and number are fixed: delete the VLAN and create another. Omitted properties keep their saved value; values equal to the saved ones change nothing, keep the revision, and are audited with an empty list of changes. A CIDR is cleared with an empty string or null, as long as the other one stays. An edit that would leave no effective management UI listener is refused.',
  params: idParam('vlan_id', 'Opaque id of the VLAN, not its 802.1Q number.'),
  body: vlanUpdate,
  answers: { 200: { description: 'The VLAN as saved now.', schema: vlan, tagged: true } },
  problems: [
    'resource_not_found',
    'already_exists',
    'state_conflict',
    'no_management_listener',
    'dependents_refuse',
    'revision_stale',
    'malformed_precondition',
  ],
  audit: ['network.vlan.update'],
  async run({ services, tx, params, body, request, audit }) {
    const { row, impact } = await updateVlan(tx, services, params.vlan_id, body, request.if_match);
    audit({
      action: 'network.vlan.update',
      resource_type: 'vlan',
      resource_id: row.id,
      detail: { name: row.name, changed: impact.changed, refreshed_units: impact.refreshed_units },
    });
    return { body: vlanView(row, impact), revision: row.revision };
  },
});
