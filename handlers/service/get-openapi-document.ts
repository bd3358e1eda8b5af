// The OpenAPI document, for the explorer, the reference and client generators.

import { Problem } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getOpenApiDocument',
  method: 'GET',
  path: '/openapi.json',
  plane: 'management',
  access: 'public',
  tag: 'Service',
  summary: 'Get the OpenAPI document',
  description: 'The published contract of the REST API, as OpenAPI 3.1.',
  answers: { 200: { description: 'The document.' } },
  problems: ['route_not_found'],
  async run({ services }) {
    const { openapi } = services.settings;
    if (openapi === undefined) throw new Problem('route_not_found', 'This process does not know all operations.');
    return { constant: await openapi(), headers: { 'content-type': 'application/json' } };
  },
});
