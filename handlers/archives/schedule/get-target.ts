// One target of archives.
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';

export const operation = getOperation(archiveTargets, {
  id: 'getArchiveTarget',
  summary: 'Get a target of archives',
  description: 'Where it is, and which secret is stored; the secret itself is never part of the answer.',
});
