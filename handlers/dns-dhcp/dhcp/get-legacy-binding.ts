// The legacy global binding.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { legacyBindingSchema, readLegacyBinding } from '../../../shared/services/dns-dhcp/dhcp/legacy-binding.ts';

export const operation = defineOperation({
  id: 'getDhcpLegacyBinding',
  method: 'GET',
  path: '/api/v1/dhcp/legacy-binding',
  access: { scope: 'read:dhcp' },
  tag: 'DHCP',
  summary: 'Get the legacy global binding',
  description:
    'The one IPv4 subnet from before there were scopes, kept for compatibility, or its defaults, with the entity tag that If-Match takes. It is in force only while there is no scope.',
  answers: {
    200: {
      description: 'The binding, with the entity tag that If-Match takes.',
      schema: legacyBindingSchema,
      tagged: true,
    },
  },
  async run({ db }) {
    const binding = await readLegacyBinding(db);
    return { body: binding, revision: binding.revision };
  },
});
