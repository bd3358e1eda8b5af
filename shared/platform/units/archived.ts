// What an archive has of settings documents: each whole, without the addresses that follow from the interfaces.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  unit_settings: {
    as: 'desired',
    label: 'Settings',
    columns: 'document',
    key: 'id',
    json: 'document',
    id: 'unit',
    undated: true,
  },
};
