// One physical interface.
import { findPhysical } from '../../shared/network/interface-list.ts';
import { physicalInterface, physicalView } from '../../shared/network/interface-resource.ts';
import { idParam } from '../../shared/operation/component.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getPhysicalInterface',
  method: 'GET',
  path: '/api/v1/interfaces/physical/{name}',
  plane: 'api',
  access: { scope: 'read:interfaces' },
  effect: 'read',
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
