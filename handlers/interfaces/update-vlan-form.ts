// The form that edits a VLAN.

import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { moved } from '../../shared/platform/interfaces/switch-field.ts';
import { flashOfSave } from '../forms/saved-interface.ts';
import { operation as updateVlan } from './update-vlan.ts';

export const operation = formOf(updateVlan, {
  path: pageRoute('vlan'),
  decode: (fields) => ({
    role: fields.optional('role'),
    mtu: fields.integer('mtu'),
    enabled: moved(fields, 'enabled'),
    access_management_ui_enabled: moved(fields, 'access_management_ui_enabled'),
    ipv4_cidr: fields.optional('ipv4_cidr'),
    ipv6_cidr: fields.optional('ipv6_cidr'),
  }),
  done: (answer) => ({ location: pagePath('vlans'), flash: flashOfSave(answer.body) }),
});
