// Changes the legacy global binding.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import {
  legacyBindingSchema,
  legacyBindingUpdateSchema,
  saveLegacyBinding,
} from '../../../shared/services/dns-dhcp/dhcp/legacy-binding.ts';

export const operation = defineOperation({
  id: 'updateDhcpLegacyBinding',
  method: 'PATCH',
  path: '/api/v1/dhcp/legacy-binding',
  access: { scope: 'write:dhcp' },
  effect: 'desired-state',
  tag: 'DHCP',
  summary: 'Update the legacy global binding',
  description: `Saves desired state only; the host follows at the next reviewed apply. Kept for compatibility: use scopes. It is in force only while there is no scope, and never constrains an interface edit while a scope exists. The rules are those of an IPv4 scope; while it is off, interface and subnet may be empty. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. Refused with \`still_referenced\` when enabled reservations would belong to no enabled scope.`,
  body: legacyBindingUpdateSchema,
  answers: { 200: { description: 'The binding as saved now.', schema: legacyBindingSchema, tagged: true } },
  problems: ['state_conflict', 'still_referenced', 'revision_stale', 'malformed_precondition'],
  audit: ['dhcp.legacy-binding.update'],
  async run({ services, tx, body, request, audit }) {
    const { saved, changed } = await saveLegacyBinding(tx, services, body, request.if_match);
    const values = Object.fromEntries(Object.entries(saved).filter(([member]) => changed.includes(member)));
    const detail = { changed, ...values };
    audit({
      action: 'dhcp.legacy-binding.update',
      resource_type: 'unit_settings',
      resource_id: 'dhcp-legacy-binding',
      detail,
    });
    return { body: saved, revision: saved.revision };
  },
});
