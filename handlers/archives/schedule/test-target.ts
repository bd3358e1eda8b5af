// Tries a target of archives: writes a small file there, reads it back and removes it.
import { ARCHIVES_TAG } from '../../../shared/appliance/archive/kept.ts';
import { targetParam, testedSchema } from '../../../shared/appliance/archive/schedule/target-schemas.ts';
import { findTarget } from '../../../shared/appliance/archive/schedule/target-store.ts';
import { TARGETS_PATH } from '../../../shared/appliance/archive/schedule/targets.ts';
import { instant } from '../../../shared/ground/clock.ts';
import { Problem } from '../../../shared/ground/problems.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'testArchiveTarget',
  method: 'POST',
  path: `${TARGETS_PATH}/{target_id}/test`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Test a target of archives',
  description:
    'Changes application state immediately, elsewhere: writes a small file to the target, reads it back and removes it, within 45 seconds. What failed is the answer; both are recorded.',
  params: targetParam,
  answers: {
    200: {
      description: 'The file was written, was the same when it was read back, and is removed.',
      schema: testedSchema,
    },
  },
  problems: [
    ...(['resource_not_found', 'state_conflict', 'storage_full', 'vault_value_unreadable', 'trust_missing'] as const),
    ...(['target_refused', 'remote_name_unknown', 'remote_unreachable', 'remote_timeout', 'remote_refused'] as const),
    ...(['remote_login_refused', 'remote_answer_unusable', 'remote_credential_gone', 'host_key_changed'] as const),
    ...(['remote_not_tls', 'remote_tls_too_old'] as const),
  ],
  audit: ['archive.target.test'],
  async prepare({ services, params }): Promise<Problem | null> {
    const target = await findTarget(services.store, params.target_id);
    const { testTarget } = await import('../../../shared/appliance/archive/schedule/visit.ts');
    try {
      await testTarget(services, target);
      return null;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  },
  async run({ tx, services, params, audit, prepared }) {
    const failed = prepared as Problem | null;
    const { id, name } = await findTarget(tx, params.target_id);
    audit({
      action: 'archive.target.test',
      resource_type: 'archive_target',
      resource_id: id,
      outcome: failed === null ? 'success' : 'failure',
      detail: { name, ...(failed && { error_code: failed.code }) },
    });
    return failed === null ? { body: { tested_at: instant(services.clock.now()) } } : { refuse: failed };
  },
});
