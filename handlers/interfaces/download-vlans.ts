// The saved VLANs of the list as a CSV file. Their states are not of it: an apply decides those.
import { loadBindings } from '../../shared/appliance/edits/bindings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { sortedRows } from '../../shared/ground/store/sorted-page.ts';
import { loadInterfaces } from '../../shared/platform/interfaces/interface.ts';
import { INTERFACE_HEAD, interfaceCells } from '../../shared/platform/interfaces/interface-csv.ts';
import { interfaceWords, isNamed, VLAN_SORTS, VLANS_LIST } from '../../shared/platform/interfaces/vlan-list.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: VLANS_LIST,
  path: pagePath('vlans'),
  scope: 'read:vlans',
  by: ['search', 'sort', 'parent'],
  head: INTERFACE_HEAD,
  async rows({ db, query: { search = '', sort, parent = '' } }, page) {
    const interfaces = await loadInterfaces(db);
    const bindings = await loadBindings(db, interfaces, { reservations: false });
    const servicesOn = (name: string) =>
      bindings.filter((binding) => binding.interfaces.includes(name)).map(({ label }) => label);
    const vlans = interfaces
      .filter(({ kind, parent_interface }) => kind === 'vlan' && (parent === '' || parent === parent_interface))
      .filter((saved) => isNamed(interfaceWords(saved, servicesOn(saved.name)), search))
      .map((saved) => ({ name: saved.name, saved }));
    const own = (line: (typeof vlans)[number]) => String(VLAN_SORTS.name!(line));
    const found = sortedRows(vlans, { sorts: VLAN_SORTS, own, sort, ...page });
    return { ...found, items: found.items.map(({ saved }) => interfaceCells(saved)) };
  },
});
