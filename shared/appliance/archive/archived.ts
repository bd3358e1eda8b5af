// What an archive has of the tables of this room: archives lie on this appliance alone.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  archive: { as: 'history' },
};
