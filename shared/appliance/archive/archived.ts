// What an archive has of the tables of this room: archives lie on this appliance alone, and so does what is known of their
// copies. Where copies go is restored, with the secrets that open it.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  archive: { as: 'history' },
  archive_copy: { as: 'history' },
  archive_clock: { as: 'history' },
  archive_target: {
    as: 'sealed',
    label: 'Targets of archives',
    columns: 'name kind enabled place',
    key: 'name',
    unique: 'name',
    booleans: 'enabled',
    json: 'place',
    secret: 'kek_id sealed_key sealed_value',
  },
};
