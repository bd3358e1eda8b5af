// The saved VLANs of the list as a CSV file. Those that are only in force any more are not of it.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { sortedRows } from '../../shared/ground/store/sorted-page.ts';
import { INTERFACE_HEAD, interfaceCells } from '../../shared/platform/interfaces/interface-csv.ts';
import { VLAN_SORTS, VLANS_LIST } from '../../shared/platform/interfaces/vlan-list.ts';
import { type SavedLine, savedLines, whole } from '../forms/interface-lines.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: VLANS_LIST,
  path: pagePath('vlans'),
  scope: 'read:vlans',
  by: ['search', 'sort', 'parent', 'state', 'show'],
  head: INTERFACE_HEAD,
  async rows({ services, query: { search, sort, ...query } }) {
    const lines = await savedLines(services, { ...query, q: search });
    const vlans = lines.filter(({ saved }) => saved.kind === 'vlan');
    const own = (line: SavedLine) => String(VLAN_SORTS.name!(line));
    const { items } = sortedRows(vlans, { sorts: VLAN_SORTS, own, sort, limit: vlans.length });
    return whole(items.map(({ saved }) => interfaceCells(saved)));
  },
});
