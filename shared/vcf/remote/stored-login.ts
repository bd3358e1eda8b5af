// The stored login of a job on a remote machine, opened at the moment when the job logs in. Its use is recorded.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { scopesOfRole } from '../../kernel/access/scopes.ts';
import { listUsers } from '../../kernel/access/user.ts';
import type { AuditContext } from '../../kernel/audit/audit.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { VaultPurpose } from '../../platform/vaults/use.ts';
import type { Target } from '../connection/target.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { type Choice, openStored, storedCredential } from './wizard-credential.ts';

/** In whose name a job acts: `certificate-trust (ada)`. */
export function jobContext({ services, id, job }: JobRun, kind: string = job.kind): AuditContext {
  const actor = systemActor(`${kind} (${job.created_by})`);
  return { at: instant(services.clock.now()), actor, request_id: id, source_address: '' };
}

/**
 * Who chose the login has to be one who may, still: a job may wait for longer than a role lasts.
 * @throws Problem 403 without the scope, 409 when the credential belongs to another user by now, and as useEntry does
 */
export async function openJobLogin(
  job: JobRun,
  stored: Choice,
  target: Target,
  purpose: VaultPurpose,
  who: AuditContext = jobContext(job),
): Promise<ApplianceCredential> {
  const { services } = job;
  const { created_by } = job.job;
  const [user] = (await listUsers(services.store, { name: created_by, limit: 1 })).items;
  if (!user?.enabled || !scopesOfRole(user.role).has('read:vaults')) {
    throw new Problem(
      'insufficient_scope',
      `${created_by}, who chose the stored login, may not use vaults any more. Nothing was sent.`,
    );
  }
  const found = await storedCredential(services.store, who.actor, stored);
  return openStored(services, who, found!, target, purpose);
}
