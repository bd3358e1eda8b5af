// Pushes the users and groups of a client to its SCIM target.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { CLIENTS_PATH, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { scimPushSchema, targetParam } from '../../../shared/services/oidc/scim/schemas.ts';
import { requireTarget } from '../../../shared/services/oidc/scim/targets.ts';
import { queuePush } from '../../../shared/vcf/scim/queue.ts';

export const operation = defineOperation({
  id: 'pushOidcScim',
  method: 'POST',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim/push`,
  access: { scope: 'write:oidc' },
  effect: 'queues-job',
  tag: OIDC_TAG,
  summary: 'Push users and groups to a SCIM target',
  description:
    'Queues a durable job; a target has one at a time. The job reads what the target has and sends what differs. `externalId` of a user is the `sub` of the tokens. Users are created and replaced (PUT); users who left are deactivated or removed. Groups are created, changed with their members (PATCH), and deleted; their members are not. Objects without an `externalId` of this appliance are left alone, and so are other members of its groups. An object whose name is taken is refused with the reason, and the others go on. A request that is answered with 429 or 503 waits as Retry-After says, five minutes in all. A push lasts 30 minutes at most. More than 10,000 users or 1,000 groups are refused, and so is a target that has more than 50,000 of either, or a push that would leave no user active. After a restart the job starts again and does what is left. It works also where `enabled` is false.',
  params: targetParam,
  answers: { 202: { description: 'The job that pushes.', schema: scimPushSchema, located: true } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['oidc.scim.push'],
  async run({ tx, services, actor, params, audit }) {
    const target = await requireTarget(tx, params.oidc_client_id);
    const { job_id, event } = await queuePush(tx, services, target, actor.name);
    audit(event);
    return { status: 202, body: { job_id }, headers: { location: `/api/v1/jobs/${job_id}` } };
  },
});
