// What an archive has of the tables of this room.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  job: { as: 'history' },
  task: { as: 'history' },
};
