// One VLAN.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findVlan } from '../../shared/platform/interfaces/interface-list.ts';
import { vlan, vlanView } from '../../shared/platform/interfaces/interface-resource.ts';

export const operation = defineOperation({
  id: 'getVlan',
  method: 'GET',
  path: '/api/v1/vlans/{vlan_id}',
  access: { scope: 'read:vlans' },
  tag: 'VLANs',
  summary: 'Get a VLAN',
  description: 'Desired state of one VLAN and what the host last reported, with the entity tag that If-Match takes.',
  params: idParam('vlan_id', 'Opaque id of the VLAN, not its 802.1Q number.'),
  answers: {
    200: { description: 'The VLAN, with the entity tag that If-Match takes.', schema: vlan, tagged: true, live: true },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const row = await findVlan(db, params.vlan_id);
    return { body: vlanView(row), revision: row.revision };
  },
});
