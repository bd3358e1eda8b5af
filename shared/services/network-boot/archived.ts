// What an archive has of the tables of this service that its manifest does not name.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  boot_attempt: { as: 'transient' },
};
