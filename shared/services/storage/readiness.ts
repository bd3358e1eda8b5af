// What ESX storage still needs.
import type { UnitReadiness } from '../../platform/units/readiness.ts';
import { storage } from './facts.ts';
import { storageSettings } from './settings.ts';

export const readiness: UnitReadiness<'volume' | 'datastore' | 'enabled' | 'applied'> = {
  settings: storageSettings,
  order: [['volume'], ['datastore', 'volume'], ['enabled', 'datastore'], ['applied', 'enabled', 'datastore']],
  rows: {
    volume: 'SELECT 1 FROM storage_volume WHERE enabled = 1',
    datastore: 'SELECT 1 FROM storage_datastore WHERE enabled = 1',
  },
  set: ({ enabled }) => ({ enabled: enabled === true }),
  inForce: (facts) => ({
    enabled: storage.get(facts, 'enabled') === true,
    volume: !storage.all(facts, 'volume').next().done,
    datastore: !storage.all(facts, 'datastore').next().done,
  }),
};
