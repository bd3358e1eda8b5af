// The kind of job that pushes people and groups to a SCIM target. What it does is loaded when it runs.
import { instant } from '../../ground/clock.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { JobKind, JobOutcome } from '../../kernel/jobs/kind.ts';
import { notePush } from '../../services/oidc/scim/standing.ts';
import type { Kept } from './push.ts';
import { SCIM_KIND } from './tasks.ts';

export const scimJob: JobKind = {
  kind: SCIM_KIND,
  says: () => 'Push users and groups of a client by SCIM',
  lane: 'remote',
  stops: 'write:oidc',
  async run(job) {
    const { runPush } = await import('./push.ts');
    return runPush(job);
  },
  async ended(job, outcome) {
    const { services, transaction: tx, id } = job;
    const kept = job.kept as Kept;
    const target_id = job.job.subject!;
    const came = outcomeOf(outcome, kept);
    const now = services.clock.now();
    const reason = reasonOf(outcome, kept);
    await notePush(tx!, target_id, now, {
      job_id: id,
      outcome: came,
      reason,
      pushed_sha256: kept.pushed_sha256 ?? null,
    });
    const actor = systemActor(`${SCIM_KIND} (${job.job.created_by})`);
    await appendAudit(
      tx!,
      services.keys,
      { at: instant(now), actor, request_id: id, source_address: '' },
      {
        action: 'oidc.scim.pushed',
        resource_type: 'scim_target',
        resource_id: target_id,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: { job_id: id, ended: came, refused: kept.refused ?? 0 },
      },
      { holdsLock: true },
    );
  },
};

const outcomeOf = (outcome: JobOutcome, { refused = 0 }: Kept) =>
  outcome === 'succeeded' && refused > 0 ? 'partly' : outcome;

function reasonOf(outcome: JobOutcome, { refused = 0, reason = '' }: Kept): string {
  if (outcome === 'cancelled') return 'It was stopped.';
  if (outcome === 'succeeded') return refused === 0 ? '' : `Refused: ${refused}.`;
  return reason || 'It ended before its time.';
}
