// Changes a target of archives.
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';

export const operation = updateOperation(archiveTargets, {
  id: 'updateArchiveTarget',
  summary: 'Update a target of archives',
  description:
    'Changes application state immediately. Omitted properties keep their value, the secret among them. Where the target becomes another machine, its secret has to be sent again and its host key to be confirmed again. Where it becomes another place, copies at the former one stay there and are no longer deleted.',
  conflicts: ['already_exists'],
  problems: ['vault_keys_unusable'],
});
