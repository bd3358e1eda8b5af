// Lists the VLANs.
import * as v from 'valibot';
import { anyCase, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ROLES } from '../../shared/platform/interfaces/interface.ts';
import { listVlans } from '../../shared/platform/interfaces/interface-list.ts';
import { vlanList, vlanView } from '../../shared/platform/interfaces/interface-resource.ts';

const filter = (what: string) => v.optional(v.pipe(v.string(), v.maxLength(64), v.description(what)));

export const operation = defineOperation({
  id: 'listVlans',
  method: 'GET',
  path: '/api/v1/vlans',
  access: { scope: 'read:vlans' },
  tag: 'VLANs',
  summary: 'List VLANs',
  description: 'VLANs by parent and number: their desired state, and what the host last reported.',
  query: v.strictObject({
    name: filter('Only the VLAN of exactly this name: parent, dot, number.'),
    parent_interface: filter('Only VLANs of this interface.'),
    vlan_id: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[1-9][0-9]{0,3}$/, 'Expected a number from 1 to 4094.'),
        v.description('Only VLANs of this 802.1Q number.'),
      ),
    ),
    role: v.optional(anyCase(ROLES, 'Only VLANs of this role; case-insensitive.')),
    ...PAGE_QUERY,
  }),
  answers: { 200: { description: 'A page of the VLANs; `next_cursor` leads to the next.', schema: vlanList } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    const vlan_id = query.vlan_id === undefined ? undefined : Number(query.vlan_id);
    const page = await listVlans(db, { ...query, vlan_id, limit: pageLimit(query.limit) });
    return { body: { ...page, items: page.items.map((row) => vlanView(row)) } };
  },
});
