// Deletes recordings of terminals whose time is over.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { pruneRecordings } from '../../shared/services/web-terminal/recording/prune.ts';

export const scheduled = defineScheduled({
  id: 'pruneRecordings',
  every: 3600,
  description: 'Deletes recordings of terminals that were kept as long as their users were told.',
  run: pruneRecordings,
});
