// Removes a target of archives with its secret.
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';

export const operation = deleteOperation(archiveTargets, {
  id: 'deleteArchiveTarget',
  summary: 'Delete a target of archives',
  description: 'Changes application state immediately. Its secret is lost; copies there stay.',
  conflicts: [],
});
