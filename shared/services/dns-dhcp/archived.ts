// What an archive has of the tables of this service that its manifest does not name.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  // Counted from records and reservations.
  address_block: { as: 'derived' },
};
