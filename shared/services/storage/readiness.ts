// What ESX storage still needs.
import type { UnitReadiness } from '../../platform/units/readiness.ts';
import { storageSettings } from './settings.ts';

export const readiness: UnitReadiness<'volume' | 'datastore' | 'enabled'> = {
  settings: storageSettings,
  order: [['volume'], ['datastore', 'volume'], ['enabled', 'datastore']],
  rows: {
    volume: 'SELECT 1 FROM storage_volume WHERE enabled = 1',
    datastore: 'SELECT 1 FROM storage_datastore WHERE enabled = 1',
  },
  set: ({ enabled }) => ({ enabled: enabled === true }),
};
