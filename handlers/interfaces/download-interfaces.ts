// The saved interfaces of the list, each followed by its VLANs, as a CSV file.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { INTERFACE_HEAD, interfaceCells } from '../../shared/platform/interfaces/interface-csv.ts';
import { INTERFACES_LIST } from '../../shared/platform/interfaces/vlan-list.ts';
import { savedLines, whole } from '../forms/interface-lines.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: INTERFACES_LIST,
  path: pagePath('interfaces'),
  scope: 'read:interfaces',
  by: ['q', 'role', 'show', 'sort'],
  head: INTERFACE_HEAD,
  async rows({ services, query: { sort, ...query } }) {
    const [lines, { sorted }] = await Promise.all([
      savedLines(services, query),
      import('../../shared/appliance/states/find-lines.ts'),
    ]);
    return whole(sorted(lines, sort).map(({ saved }) => interfaceCells(saved)));
  },
});
