// Creates a VLAN on a trunk.

import { addVlan } from '../../shared/appliance/edits/edits.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { vlan, vlanView } from '../../shared/platform/interfaces/interface-resource.ts';
import { vlanCreate } from '../../shared/platform/interfaces/interface-schema.ts';

export const operation = defineOperation({
  id: 'createVlan',
  method: 'POST',
  path: '/api/v1/vlans',
  access: { scope: 'write:vlans' },
  effect: 'desired-state',
  tag: 'VLANs',
  summary: 'Create a VLAN',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. The parent must exist and be a trunk, and at least one CIDR is needed. Defaults: role access, enabled, MTU 1500 or that of the parent if smaller. Choices: a VLAN has IPv6 exactly when it has an IPv6 CIDR; its MTU is at most that of its parent; its link name (parent, dot, number) fits the 15 characters of Linux. `impact` in the answer says what followed; its `changed` is empty, since all of the VLAN is new.',
  body: vlanCreate,
  answers: { 201: { description: 'The VLAN that was created.', schema: vlan, tagged: true } },
  problems: ['already_exists', 'state_conflict', 'dependents_refuse'],
  audit: ['network.vlan.create'],
  async run({ services, tx, body, audit }) {
    const { row, impact } = await addVlan(tx, services, body);
    const { id, name, role, ipv4_cidr, ipv6_cidr, mtu, enabled, access_management_ui_enabled } = row;
    const saved = { name, role, ipv4_cidr, ipv6_cidr, mtu, enabled, access_management_ui_enabled };
    const detail = { ...saved, refreshed_units: impact.refreshed_units };
    audit({ action: 'network.vlan.create', resource_type: 'vlan', resource_id: id, detail });
    return { status: 201, body: vlanView(row, impact), revision: row.revision };
  },
});
