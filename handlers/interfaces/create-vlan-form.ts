// The form that creates a VLAN.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { flashOfCreate } from '../forms/saved-interface.ts';
import { operation as createVlan } from './create-vlan.ts';

export const operation = formOf(createVlan, {
  path: `${pagePath('vlans')}/new`,
  decode: (fields) => ({
    parent_interface: fields.optional('parent_interface'),
    vlan_id: fields.integer('vlan_id'),
    role: fields.optional('role'),
    mtu: fields.text('mtu') === '' ? undefined : fields.integer('mtu'),
    enabled: fields.checked('enabled'),
    access_management_ui_enabled: fields.checked('access_management_ui_enabled'),
    ipv4_cidr: fields.optional('ipv4_cidr'),
    ipv6_cidr: fields.optional('ipv6_cidr'),
  }),
  done: (answer) => ({ location: pagePath('vlans'), flash: flashOfCreate(answer.body) }),
});
