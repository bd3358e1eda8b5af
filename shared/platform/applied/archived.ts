// What an archive has of the tables of this room: what is in force is a fact of the host.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  unit_state: { as: 'history' },
};
