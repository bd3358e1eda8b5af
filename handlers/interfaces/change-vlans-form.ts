// The button below the list of VLANs, for those that were chosen.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { findVlan } from '../../shared/platform/interfaces/interface-list.ts';
import { VLANS_LIST } from '../../shared/platform/interfaces/vlan-list.ts';
import { rowsForm } from '../forms/row-list.ts';
import { operation as deleteVlan } from './delete-vlan.ts';

export const operation = rowsForm({
  words: VLANS_LIST,
  param: 'vlan_id',
  verbs: { delete: deleteVlan },
  name: async (db, id) => (await findVlan(db, id)).name,
  page: pagePath('vlans'),
  path: `${pagePath('vlans')}/chosen`,
  kept: ['search', 'sort', 'state', 'parent', 'show', 'cursor'],
});
