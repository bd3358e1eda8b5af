// Lists the targets of archives.
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';

export const operation = listOperation(archiveTargets, {
  id: 'listArchiveTargets',
  summary: 'List targets of archives',
  description: 'Where copies of archives go, by name. No secret is part of the answer.',
});
