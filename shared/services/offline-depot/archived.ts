// What an archive has of the tables of this service that its manifest does not name.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  depot_identity: {
    as: 'desired',
    label: 'Software depot ID',
    columns: 'software_depot_id generated_by generated_at',
    key: 'id',
    plain: true,
  },
  depot_upload: { as: 'transient' },
};
