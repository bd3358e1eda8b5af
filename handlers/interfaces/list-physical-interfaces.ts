// Lists the physical interfaces.
import * as v from 'valibot';
import { anyCase, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ROLES } from '../../shared/platform/interfaces/interface.ts';
import { listPhysical } from '../../shared/platform/interfaces/interface-list.ts';
import { physicalInterfaceList, physicalView } from '../../shared/platform/interfaces/interface-resource.ts';

const filter = (what: string) => v.optional(v.pipe(v.string(), v.maxLength(64), v.description(what)));

export const operation = defineOperation({
  id: 'listPhysicalInterfaces',
  method: 'GET',
  path: '/api/v1/interfaces/physical',
  access: { scope: 'read:interfaces' },
  tag: 'Interfaces',
  summary: 'List physical interfaces',
  description:
    'Physical interfaces by name: their desired state, and what the host last reported. An interface that vanished from the host stays in the list with `present` false until it is deleted.',
  query: v.strictObject({
    name: filter('Only the interface of exactly this name.'),
    mac_address: filter('Only the interface with this MAC address; any case, colons or hyphens.'),
    role: v.optional(anyCase(ROLES, 'Only interfaces of this role; case-insensitive.')),
    ...PAGE_QUERY,
  }),
  answers: {
    200: { description: 'A page of the interfaces; `next_cursor` leads to the next.', schema: physicalInterfaceList },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    const page = await listPhysical(db, { ...query, limit: pageLimit(query.limit) });
    return { body: { ...page, items: page.items.map((row) => physicalView(row)) } };
  },
});
