// The form that edits a VLAN.

import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { flashOfSave } from '../../shared/platform/interfaces/save-flash.ts';
import { moved } from '../../shared/platform/interfaces/switch-field.ts';
import { operation as updateVlan } from './update-vlan.ts';

export const operation = defineForm(
  { of: updateVlan, path: '/ui/management/vlans/{vlan_id}', access: { session: 'write:vlans' } },
  {
    page: '/ui/management/vlans/{vlan_id}',
    decode: (fields) => ({
      role: fields.optional('role'),
      mtu: fields.integer('mtu'),
      enabled: moved(fields, 'enabled'),
      access_management_ui_enabled: moved(fields, 'access_management_ui_enabled'),
      ipv4_cidr: fields.optional('ipv4_cidr'),
      ipv6_cidr: fields.optional('ipv6_cidr'),
    }),
    done: (answer) => ({ location: '/ui/management/interfaces', flash: flashOfSave(answer.body) }),
  },
);
