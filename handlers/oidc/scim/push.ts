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
    'Queues a durable job, of which a target has one at a time: it reads what the target has and sends what differs. `externalId` is `sub` of the tokens and entryUUID of the directory. Users are created and replaced (PUT), those who left are deactivated or removed; groups are created, changed (PATCH) and deleted with their members. Objects without an `externalId` of ours are left alone, and so are foreign members of our groups; one whose name is taken is refused with the reason, and the others go on. It waits by Retry-After for five minutes with a request at most, lasts 30 minutes at most, and pushes at most 10,000 users and 1,000 groups to a target that has at most 50,000 of each. It refuses to put everybody out. After a restart it begins anew and does what is left. A target that is switched off for the clock is pushed to all the same.',
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
