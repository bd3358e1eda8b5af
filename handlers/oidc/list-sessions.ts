// Lists who is signed in at the OpenID Connect provider.
import { pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { OIDC_TAG } from '../../shared/services/oidc/clients/clients.ts';
import { oidcSessionListSchema, oidcSessionQuery } from '../../shared/services/oidc/sessions/schemas.ts';
import { listOidcSessions } from '../../shared/services/oidc/sessions/sessions.ts';

export const operation = defineOperation({
  id: 'listOidcSessions',
  method: 'GET',
  path: '/api/v1/oidc/sessions',
  access: { scope: 'read:oidc' },
  effect: 'read',
  tag: OIDC_TAG,
  summary: 'List sessions',
  description:
    'Browsers in which somebody is signed in, newest first: users of the appliance and of the directory. A session lasts at most 12 hours.',
  query: oidcSessionQuery,
  answers: { 200: { description: 'A page of those that go on.', schema: oidcSessionListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, query, request }) {
    return { body: await listOidcSessions(db, { ...query, limit: pageLimit(query.limit) }, request.now) };
  },
});
