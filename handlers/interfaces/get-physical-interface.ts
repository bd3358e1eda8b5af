// One physical interface.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findPhysical } from '../../shared/platform/interfaces/interface-list.ts';
import { physicalInterface, physicalView } from '../../shared/platform/interfaces/interface-resource.ts';

export const operation = defineOperation({
  id: 'getPhysicalInterface',
  method: 'GET',
  path: '/api/v1/interfaces/physical/{name}',
  access: { scope: 'read:interfaces' },
  tag: 'Interfaces',
  summary: 'Get a physical interface',
  description:
    'Desired state of one interface and what the host last reported, with the entity tag that If-Match takes.',
  params: idParam('name', 'Name of the interface.'),
  answers: {
    200: {
      description: 'The interface, with the entity tag that If-Match takes.',
      schema: physicalInterface,
      tagged: true,
      live: true,
    },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const row = await findPhysical(db, params.name);
    return { body: physicalView(row), revision: row.revision };
  },
});
