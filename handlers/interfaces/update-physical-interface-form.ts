// The form that edits a physical interface. It sends switches only when they were changed, so that those which
// depend on another field (IPv6 on its CIDR, the management UI on the role) still follow it.

import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { moved, wasField } from '../../shared/platform/interfaces/switch-field.ts';
import { flashOfSave } from '../forms/saved-interface.ts';
import { operation as updatePhysicalInterface } from './update-physical-interface.ts';

export const operation = formOf(updatePhysicalInterface, {
  path: pageRoute('interface'),
  decode: (fields) => {
    // Left empty where the page showed dhcp they are not cleared: what DHCP gave is kept; the word none clears them.
    const lent = fields.text(wasField('ipv4_method')) === 'dhcp';
    const address = (name: string) => {
      const given = fields.text(name).trim();
      if (lent && given === '') return undefined;
      return given.toLowerCase() === 'none' ? '' : fields.optional(name);
    };
    return {
      role: fields.optional('role'),
      mode: fields.optional('mode'),
      mtu: fields.integer('mtu'),
      enabled: moved(fields, 'enabled'),
      access_management_ui_enabled: moved(fields, 'access_management_ui_enabled'),
      ipv4_method: fields.optional('ipv4_method'),
      ipv4_cidr: address('ipv4_cidr'),
      ipv4_gateway: address('ipv4_gateway'),
      ipv6_enabled: moved(fields, 'ipv6_enabled'),
      ipv6_cidr: fields.optional('ipv6_cidr'),
      ipv6_gateway: fields.optional('ipv6_gateway'),
    };
  },
  done: (answer) => ({ location: pagePath('interfaces'), flash: flashOfSave(answer.body) }),
});
