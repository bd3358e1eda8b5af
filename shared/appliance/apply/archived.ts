// What an archive has of the tables of this room: plans and what was found of the host tell of this appliance alone.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  plan: { as: 'history' },
  unit_drift: { as: 'history' },
  unit_probe: { as: 'history' },
};
