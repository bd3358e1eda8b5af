// Confirms the host key of an SFTP target.
import { ARCHIVES_TAG } from '../../../shared/appliance/archive/kept.ts';
import type { TargetOf } from '../../../shared/appliance/archive/schedule/target.ts';
import {
  confirmHostKeySchema,
  targetParam,
  targetSchema,
} from '../../../shared/appliance/archive/schedule/target-schemas.ts';
import { confirmHostKey } from '../../../shared/appliance/archive/schedule/target-store.ts';
import { TARGETS_PATH, targetItem } from '../../../shared/appliance/archive/schedule/targets.ts';
import { sameHostKey, sftpTarget } from '../../../shared/appliance/archive/schedule/visit.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'confirmArchiveTargetHostKey',
  method: 'POST',
  path: `${TARGETS_PATH}/{target_id}/confirm-host-key`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Confirm the host key of a target',
  description:
    'Changes application state immediately. The machine is checked again: it has to show this very key. From then on a connection to it that shows another one is ended before anything is sent.',
  params: targetParam,
  body: confirmHostKeySchema,
  answers: { 200: { description: 'The target as saved now.', schema: targetSchema, tagged: true } },
  problems: [
    ...(['resource_not_found', 'state_conflict', 'host_key_changed', 'target_refused'] as const),
    ...(['remote_name_unknown', 'remote_unreachable', 'remote_timeout', 'remote_answer_unusable'] as const),
  ],
  audit: ['archive.target.trust'],
  async prepare({ services, params, body }) {
    const target = await sftpTarget(services.store, params.target_id);
    await sameHostKey(services, target, body.host_key_sha256);
    return target;
  },
  async run({ tx, services, body: { host_key_sha256 }, audit, prepared }) {
    const target = await confirmHostKey(tx, services, prepared as TargetOf<'sftp'>, host_key_sha256);
    const { host, port } = (target as TargetOf<'sftp'>).place;
    const detail = { name: target.name, host, port, host_key_sha256 };
    audit({ action: 'archive.target.trust', resource_type: 'archive_target', resource_id: target.id, detail });
    return { body: targetItem(target), revision: target.revision };
  },
});
