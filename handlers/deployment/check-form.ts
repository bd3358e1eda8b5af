// Deployment: checks everything that a deployment needs, and queues nothing.
import { decodeReview, type ReviewedOr, reviewBody, reviewed } from '../../shared/vcf/deployment/reviewed.ts';
import { DEPLOY_TASK, SECRET_FIELDS } from '../../shared/vcf/deployment/wizard-task.ts';
import { onwards, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = taskForm(
  DEPLOY_TASK,
  {
    id: 'sddcManagerCheckForm',
    at: 'check',
    effect: 'immediate',
    summary: 'Look at everything that a deployment stands on',
    description:
      'Changes nothing: what was looked at is kept for the review. Takes a minute at most; one at a time for a user. Hosts of the target that would take the disks are looked at, four at most, and count among the servers that a user looks at; they, and whatever else was asked, are named in the audit log. Typed passwords are used for this request only.',
    body: reviewBody,
    bodyLimit: 512 << 10,
    audit: ['vcf-helper.deployment.check'],
    guarded: false,
    problems: [
      'trust_missing',
      'certificate_changed',
      'remote_login_refused',
      'ova_refused',
      'state_conflict',
      'too_many_attempts',
    ],
    prepare: (asking) => reviewed(asking),
    async run({ audit, prepared }) {
      const seen = prepared as ReviewedOr;
      const refused = 'refuse' in seen;
      audit({
        action: 'vcf-helper.deployment.check',
        resource_type: 'remote_target',
        resource_id: null,
        outcome: refused || !seen.looked.passed ? 'failure' : 'success',
        detail: {
          server: seen.ready.server,
          looked_at: seen.asked_at,
          ...(refused
            ? { refused: seen.refuse.code }
            : {
                name: seen.request.name,
                checks: Object.fromEntries(seen.looked.checks.map(({ id, state }) => [id, state])),
              }),
        },
      });
      return refused ? { refuse: seen.refuse } : { body: {} };
    },
  },
  {
    secret: [...SECRET_FIELDS],
    decode: decodeReview,
    done: (_answer, fields) => ({ location: onwards(DEPLOY_TASK, fields, { step: 'review' }) }),
  },
);
