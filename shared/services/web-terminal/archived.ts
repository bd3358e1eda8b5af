// What an archive has of the tables of this service that its manifest does not name.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  // Trust of this appliance alone: another one has its machines confirmed itself.
  terminal_host_key: { as: 'transient' },
};
