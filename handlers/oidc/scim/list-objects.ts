// Lists what was sent to a SCIM target, and what was refused.
import * as v from 'valibot';
import { anyCase, PAGE_QUERY, pageLimit } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { CLIENTS_PATH, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { listObjects } from '../../../shared/services/oidc/scim/objects.ts';
import {
  OBJECT_KINDS,
  OBJECT_OUTCOMES,
  scimObjectListSchema,
  targetParam,
} from '../../../shared/services/oidc/scim/schemas.ts';
import { requireTarget } from '../../../shared/services/oidc/scim/targets.ts';

export const operation = defineOperation({
  id: 'listOidcScimObjects',
  method: 'GET',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim/objects`,
  access: { scope: 'read:oidc' },
  tag: OIDC_TAG,
  summary: 'List what was sent to a SCIM target',
  description:
    'Users and groups of this appliance at the target, what the last push did with each, and why one was refused. A removed one is listed until the next push.',
  params: targetParam,
  query: v.strictObject({
    ...PAGE_QUERY,
    kind: v.optional(anyCase(OBJECT_KINDS, 'Only this kind.')),
    outcome: v.optional(anyCase(OBJECT_OUTCOMES, 'Only with this outcome.')),
  }),
  answers: { 200: { description: 'A page of them; `next_cursor` leads to the next.', schema: scimObjectListSchema } },
  problems: ['resource_not_found', 'invalid_cursor'],
  async run({ db, params, query }) {
    const { id } = await requireTarget(db, params.oidc_client_id);
    const { items, next_cursor } = await listObjects(db, id, { ...query, limit: pageLimit(query.limit) });
    return { body: { items: items.map(({ sent_sha256: _digest, ...item }) => item), next_cursor } };
  },
});
