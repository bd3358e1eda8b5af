// Looks at the host key of an SFTP target, for somebody to compare.
import { ARCHIVES_TAG } from '../../../shared/appliance/archive/kept.ts';
import type { TargetOf } from '../../../shared/appliance/archive/schedule/target.ts';
import { hostKeySchema, targetParam } from '../../../shared/appliance/archive/schedule/target-schemas.ts';
import { TARGETS_PATH } from '../../../shared/appliance/archive/schedule/targets.ts';
import { lookAtHostKey, sftpTarget } from '../../../shared/appliance/archive/schedule/visit.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'lookAtArchiveTargetHostKey',
  method: 'POST',
  path: `${TARGETS_PATH}/{target_id}/look-at-host-key`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Look at the host key of a target',
  description:
    'Changes application state immediately, in the audit log alone: connects to the SFTP server, and ends the connection when it has shown its host key. Nothing is sent to it. Compare the fingerprint with the one that the machine’s operator knows, then confirm it.',
  params: targetParam,
  answers: { 200: { description: 'The host key that the machine shows now.', schema: hostKeySchema } },
  problems: [
    ...(['resource_not_found', 'state_conflict', 'target_refused', 'remote_name_unknown'] as const),
    ...(['remote_unreachable', 'remote_timeout', 'remote_answer_unusable'] as const),
  ],
  audit: ['archive.target.look'],
  async prepare({ services, params }) {
    const target = await sftpTarget(services.store, params.target_id);
    const { sha256, algorithm } = await lookAtHostKey(services, target);
    const seen = { host_key_sha256: sha256, algorithm, confirmed: sha256 === target.place.host_key_sha256 };
    return { target, seen };
  },
  async run({ audit, prepared }) {
    const { target, seen } = prepared as { target: TargetOf<'sftp'>; seen: object };
    const { host, port } = target.place;
    const detail = { name: target.name, host, port, ...seen };
    audit({ action: 'archive.target.look', resource_type: 'archive_target', resource_id: target.id, detail });
    return { body: seen };
  },
});
